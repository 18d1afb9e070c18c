/**
 * multipart/form-data: the form becomes the body, an object with texts and uploads by name, and is validated by a
 * schema like any other. The parser is loaded with the first form.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { Type, type TProperties, type TUnsafe } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../state/refusal.ts'

/** A file of a form. */
export class Upload {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer

  constructor(filename: string, contentType: string, bytes: Buffer) {
    this.filename = filename
    this.contentType = contentType
    this.bytes = bytes
  }
}

export const FORM_TYPE = 'multipart/form-data'

/** The schema of a form. */
export const Form = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { contentMediaType: FORM_TYPE })

/** A field that holds a file; a text in its place gets through the schema (`mustBeUpload`). */
export const File = (description: string): TUnsafe<Upload> =>
  Type.Unsafe({ contentMediaType: 'application/octet-stream', description })

/** The upload, or a refusal where a text or several files were sent. */
export function mustBeUpload(field: string, sent: unknown): Upload {
  if (sent instanceof Upload) return sent
  const message = `${field} must be one file`
  throw new Refusal('invalid', message, { details: [{ field, code: 'invalid_type', message }] })
}

export interface FormLimits {
  /** Bytes that a file may have. */
  readonly file: number
}

/** Texts and files beyond this many make no honest form. */
const MOST_PARTS = 100

/** Makes the operations of this scope take forms, and nothing else. */
export function takeForms(scope: FastifyInstance, limits: FormLimits): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    FORM_TYPE,
    async (request: { headers: IncomingHttpHeaders }, payload: Readable) =>
      readForm(request.headers, payload, limits),
  )
}

type Value = string | Upload

async function readForm(
  headers: IncomingHttpHeaders,
  payload: Readable,
  limits: FormLimits,
): Promise<Record<string, Value | Value[]>> {
  const { Busboy } = await import('@fastify/busboy')
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { fileSize: limits.file, parts: MOST_PARTS },
    })
  } catch (error) {
    throw broken(error)
  }
  try {
    return gathered(await partsOf(parser, payload))
  } finally {
    // What nobody reads any more still has to be taken off the connection, or the answer would not arrive.
    payload.unpipe(parser)
    payload.resume()
  }
}

type Part = readonly [name: string, value: Value]

function partsOf(parser: BusboyInstance, payload: Readable): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    parser.on('file', (name, stream, filename, _encoding, contentType) => {
      const place = parts.push([name, '']) - 1
      readFile(stream, (error, bytes) => {
        if (error) reject(error)
        else parts[place] = [name, new Upload(filename, contentType, bytes)]
      })
    })
    parser.on('field', (name, value, nameIsCut, valueIsCut) => {
      if (nameIsCut || valueIsCut) reject(tooLarge('A text of the form'))
      else if (value.includes('\0')) reject(new Refusal('malformed', 'The form holds a NUL character.'))
      else parts.push([name, value])
    })
    parser.on('partsLimit', () => {
      reject(tooLarge('The form'))
    })
    parser.on('finish', () => {
      resolve(parts)
    })
    parser.on('error', (error) => {
      reject(broken(error))
    })
    payload.on('error', (error) => {
      reject(broken(error))
    })
    payload.on('close', () => {
      if (!payload.readableEnded) reject(broken('it ends too early'))
    })
    payload.pipe(parser)
  })
}

function readFile(stream: BusboyFileStream, done: (error: Refusal | null, bytes: Buffer) => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
  })
  stream.on('limit', () => {
    done(tooLarge('The file'), Buffer.alloc(0))
  })
  stream.on('error', (error) => {
    done(broken(error), Buffer.alloc(0))
  })
  stream.on('end', () => {
    done(null, Buffer.concat(chunks))
  })
}

/** One value for each name; a name that comes several times, or ends in [], holds a list. */
function gathered(parts: readonly Part[]): Record<string, Value | Value[]> {
  const lists = new Map<string, Value[]>()
  for (const [name, value] of parts) lists.set(name, [...(lists.get(name) ?? []), value])
  const form = [...lists].map(([name, values]): [string, Value | Value[]] => {
    if (name.endsWith('[]')) return [name.slice(0, -2), values]
    const [first = ''] = values
    return [name, values.length === 1 ? first : values]
  })
  return Object.fromEntries(form)
}

const broken = (error: unknown): Refusal =>
  new Refusal(
    'malformed',
    `The form cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
  )

const tooLarge = (what: string): Refusal =>
  new Refusal('too_large', `${what} is larger than this operation takes.`)
