/**
 * multipart/form-data: the form becomes the body, an object with texts and uploads by name, and is validated by a
 * schema like any other.
 */
import multipart, { type Multipart } from '@fastify/multipart'
import { Type, type TProperties, type TUnsafe } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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

/** A field that holds a file, such as `example`; a text in its place gets through the schema (`mustBeUpload`). */
export const File = (description: string, example: string): TUnsafe<Upload> =>
  Type.Unsafe({ contentMediaType: 'application/octet-stream', description, examples: [example] })

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

/** Bytes that a text of a form may have: as many as a body of JSON. */
const LARGEST_TEXT = 1_048_576

/** Makes the operations of this scope take forms, and nothing else. */
export async function takeForms(scope: FastifyInstance, limits: FormLimits): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    limits: { fileSize: limits.file, fieldSize: LARGEST_TEXT, parts: MOST_PARTS },
  })
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readForm(request)
  })
}

type Value = string | Upload

async function readForm(request: FastifyRequest): Promise<Record<string, Value | Value[]>> {
  const parts: Part[] = []
  try {
    for await (const part of request.parts()) parts.push([part.fieldname, await valueOf(part)])
  } catch (error) {
    throw refusalOf(error)
  } finally {
    // What nobody reads any more still has to be taken off the connection, or the answer would not arrive.
    request.raw.unpipe()
    request.raw.resume()
  }
  return gathered(parts)
}

type Part = readonly [name: string, value: Value]

async function valueOf(part: Multipart): Promise<Value> {
  if (part.type === 'file') return new Upload(part.filename, part.mimetype, await part.toBuffer())
  const { value } = part
  if (part.fieldnameTruncated || part.valueTruncated) throw tooLarge('A text of the form')
  // The plugin reads a text that is labelled as JSON; no operation takes such a text.
  if (typeof value !== 'string') throw broken(`${part.fieldname} is no plain text`)
  if (value.includes('\0')) throw new Refusal('malformed', 'The form holds a NUL character.')
  return value
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

const TOO_LARGE: Readonly<Record<string, string>> = {
  FST_REQ_FILE_TOO_LARGE: 'The file',
  FST_PARTS_LIMIT: 'The form',
}

/** What the form is to blame for, as a refusal; anything else as it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const what = TOO_LARGE[code]
  if (what !== undefined) return tooLarge(what)
  // The parser tells of a form by plain errors, the plugin by ones with codes and statuses of its own.
  const isOfForm =
    code === ''
      ? Object.getPrototypeOf(error) === Error.prototype
      : code.startsWith('FST_') && 'statusCode' in error && Number(error.statusCode) < 500
  return isOfForm ? broken(error.message) : error
}

const broken = (why: string): Refusal => new Refusal('malformed', `The form cannot be read: ${why}.`)

const tooLarge = (what: string): Refusal =>
  new Refusal('too_large', `${what} is larger than this operation takes.`)
