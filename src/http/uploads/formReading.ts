/** Reads a form from its connection, within limits: texts into memory, files to disk. */
import type { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../state/model/refusal.ts'
import { mustBeUtf8 } from '../server/json.ts'
import { bodyStreamOf } from './contentEncoding.ts'
import { drain } from './draining.ts'
import { Receiver, Upload } from './uploads.ts'

export interface FormLimits {
  /** Maximum bytes of a file. */
  readonly file: number
  /** Maximum number of files; 1 by default. The content of more files is dropped. */
  readonly files?: number
  /** Maximum number of parts; 100 by default. */
  readonly parts?: number
}

/** More parts than any real form has. */
const MAX_PARTS = 100

/** Maximum bytes of all texts together, the same as for a JSON body. */
const LARGEST_TEXTS = 1_048_576

/** Maximum bytes of the heads of all parts. */
const LARGEST_HEADS = 65_536

/** Maximum bytes of the head of a part; the rest of a longer one is not read. */
const LARGEST_HEAD = 16_384

type Value = string | Upload

/** A value for each name; a name that occurs several times, or ends in [], has a list. */
export type FormValues = Record<string, Value | Value[]>

/** A part in the request journal. */
export interface SentPart {
  /** The name as sent: "attachment[]". */
  readonly name: string
  /** Whether the operation has this field. */
  readonly isUsed: boolean
  /** The start of a text, or the name of a file and the number of bytes received. */
  value: string | { readonly filename: string; readonly contentType: string; size: number }
}

/** Maximum characters of a text, a name and a filename in the journal. */
const MAX_RECORDED = 200

/**
 * Reads the form. `nextPath` returns paths for files; `names` are the accepted names, other parts are
 * dropped. Refuses a form that breaks a rule at once, and drains the rest. `sent` gets the parts received,
 * also of a refused form.
 */
export async function receiveForm(
  request: FastifyRequest,
  names: ReadonlySet<string>,
  limits: FormLimits,
  nextPath: () => string,
  sent: SentPart[],
): Promise<FormValues> {
  const reception = new FormReader(names, limits, nextPath, sent)
  try {
    return await reception.receive(request)
  } catch (error) {
    drain(request.raw)
    await reception.abandon()
    throw error
  }
}

/** Returns the request with another stream as its body, which the plugin reads from `raw`. */
function withBody(request: FastifyRequest, body: Readable): FastifyRequest {
  const raw = Object.assign(body, { headers: request.headers })
  return Object.create(request, { raw: { value: raw } }) as FastifyRequest
}

type Part = readonly [name: string, value: Value]

class FormReader {
  readonly #names: ReadonlySet<string>
  readonly #limits: Required<FormLimits>
  readonly #nextPath: () => string
  readonly #receivers: Receiver[] = []
  #stream: Readable | null = null
  #taking: Promise<Part | null> | null = null
  readonly #sent: SentPart[]
  #fileCount = 0
  #textSize = 0

  constructor(names: ReadonlySet<string>, limits: FormLimits, nextPath: () => string, sent: SentPart[]) {
    this.#sent = sent
    this.#names = names
    this.#limits = { files: 1, parts: MAX_PARTS, ...limits }
    this.#nextPath = nextPath
  }

  /** Reads all parts. If this fails, the rest stays unread on the connection. */
  receive(request: FastifyRequest): Promise<FormValues> {
    const { file, files } = this.#limits
    mustBeUtf8(request)
    const body = bodyStreamOf(request)
    const maxSize = file * files + LARGEST_TEXTS + LARGEST_HEADS
    if (Number(request.headers['content-length'] ?? 0) > maxSize) throw tooLarge('The form')
    return new Promise((resolve, reject: (error: unknown) => void) => {
      let size = 0
      body.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > maxSize) reject(tooLarge('The form'))
      })
      body.on('error', reject)
      this.#all(body === request.raw ? request : withBody(request, body), reject).then((form) => {
        // The parser accepts an empty body as an empty form.
        if (size === 0) reject(broken(UNFINISHED))
        else resolve(form)
      }, reject)
    })
  }

  async #all(request: FastifyRequest, refuse: (error: unknown) => void): Promise<FormValues> {
    const parts: Part[] = []
    const sent = request.parts({
      limits: {
        fileSize: this.#limits.file,
        parts: this.#limits.parts,
        headerSize: LARGEST_HEAD,
        headerPairs: 100,
      },
      // Texts are read as bytes, because the parser would replace invalid UTF-8.
      isPartAFile: (name) => {
        if (name !== undefined && name in Object.prototype) this.#recordIgnored(name, refuse)
        return true
      },
    })
    try {
      for await (const part of sent as AsyncIterable<MultipartFile>) {
        const taken = await (this.#taking = this.#take(part))
        if (taken) parts.push(taken)
      }
    } catch (error) {
      if (!isPrototypeName(error)) throw refusalOf(error)
    }
    return groupByName(parts)
  }

  /** Records a part that the plugin drops because every object has a property of its name. */
  #recordIgnored(name: string, refuse: (error: unknown) => void): void {
    this.#sent.push({ name, isUsed: false, value: '' })
    if (name === '__proto__') refuse(broken('a part is named __proto__'))
  }

  /** Stops writing files. */
  async abandon(): Promise<void> {
    this.#stream?.destroy()
    await this.#taking?.catch(() => undefined)
    for (const receiver of this.#receivers) await receiver.close()
  }

  /** Returns null for a part that the operation does not have. */
  async #take({ file: stream, mimetype, ...asSent }: PartAsSent): Promise<Part | null> {
    const name = unescaped(asSent.fieldname)
    const filename = unescaped(asSent.filename)
    this.#stream = stream
    // The parser also reports a part that ends too early.
    stream.on('error', () => undefined)
    mustBeNamed(name, filename)
    const isFile = filename !== undefined || mimetype === 'application/octet-stream'
    const isUsed = this.#names.has(bareName(name))
    const sent = {
      name: name.slice(0, MAX_RECORDED),
      isUsed,
      value: isFile
        ? {
            filename: (filename ?? '').slice(0, MAX_RECORDED),
            contentType: mimetype.slice(0, MAX_RECORDED),
            size: 0,
          }
        : '',
    }
    this.#sent.push(sent)
    const pieces = recordPieces(stream, sent)
    if (!isUsed) {
      await drop(pieces)
      return null
    }
    return [
      name,
      await (isFile
        ? this.#file(stream, pieces, filename ?? '', mimetype)
        : this.#text(name, pieces, mimetype)),
    ]
  }

  async #text(name: string, stream: AsyncIterable<Buffer>, type: string): Promise<string> {
    if (type === 'application/json') throw broken(`${name} must be plain text`)
    const pieces: Buffer[] = []
    for await (const piece of stream) {
      this.#textSize += piece.length
      if (this.#textSize > LARGEST_TEXTS) throw tooLarge('A text of the form')
      pieces.push(piece)
    }
    return textOf(name, Buffer.concat(pieces))
  }

  async #file(
    stream: MultipartFile['file'],
    content: AsyncIterable<Buffer>,
    filename: string,
    type: string,
  ): Promise<Upload> {
    if (++this.#fileCount > this.#limits.files) {
      return new Upload(filename, type, await drop(content), { bytes: Buffer.alloc(0) })
    }
    const receiver = new Receiver(this.#nextPath)
    this.#receivers.push(receiver)
    const limited = new Promise<never>((_resolve, reject) => {
      stream.once('limit', () => {
        reject(tooLarge('The file'))
      })
    })
    const taken = (async () => {
      for await (const piece of content) await receiver.take(piece)
      // The limit may have been reached before the listener was added.
      if (stream.truncated) throw tooLarge('The file')
      return receiver.end(filename, type)
    })()
    return Promise.race([limited, taken])
  }
}

/** Reads and drops the rest; returns its bytes. */
async function drop(pieces: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const piece of pieces) size += piece.length
  return size
}

/** Yields the pieces of a part, and adds each to the part's journal entry. */
async function* recordPieces(stream: Readable, part: SentPart): AsyncGenerator<Buffer, void> {
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (typeof part.value !== 'string') part.value.size += piece.length
    else if (part.value.length < MAX_RECORDED) {
      // A character has at most four bytes.
      const text = part.value + piece.toString('utf8', 0, MAX_RECORDED * 4)
      part.value = text.slice(0, MAX_RECORDED)
    }
    yield piece
  }
}

/** A part from the plugin. Its own types do not say that names may be missing. */
type PartAsSent = Pick<MultipartFile, 'file' | 'mimetype'> & {
  readonly fieldname: string | undefined
  readonly filename: string | undefined
}

/**
 * Returns a name without the escapes of browsers, which write a quote and line breaks as %22, %0D and %0A and leave other percent
 * signs (HTML standard, "Multipart form data").
 */
const unescaped = <Name extends string | undefined>(name: Name) =>
  name?.replaceAll(/%(?:22|0D|0A)/g, (escape) => decodeURIComponent(escape)) as Name

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code

const isPrototypeName = (error: unknown): boolean => codeOf(error) === 'FST_PROTO_VIOLATION'

/** The error of a form that ends before its last boundary. */
const UNFINISHED = 'Unexpected end of multipart data'

function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (code === 'FST_PARTS_LIMIT') return tooLarge('The form')
  if (code === 'FST_MP_PREMATURE_CLOSE' || code === 'ECONNRESET') return broken('its connection was cut')
  const words = wordsOf(error)
  return broken(words.startsWith('Part terminated early') ? UNFINISHED : words)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The parser's replacement for invalid UTF-8 in a name. */
const REPLACEMENT = '\uFFFD'

function mustBeNamed(name: string | undefined, filename = ''): asserts name is string {
  if (name === undefined || bareName(name) === '') throw broken('a part has no name')
  if (bareName(name) === '__proto__') throw broken('a part is named __proto__')
  if (name.includes(REPLACEMENT) || filename.includes(REPLACEMENT)) {
    throw broken('the name of a part is not UTF-8')
  }
  if (name.includes('\0') || filename.includes('\0'))
    throw broken('the name of a part contains a NUL character')
}

function textOf(name: string, bytes: Buffer): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw broken(`${name} is not UTF-8`)
  }
  if (text.includes('\0')) throw new Refusal('malformed', 'The form contains a NUL character.')
  return text
}

/** "attachments" for "attachments[]" and "attachments[0]". */
export const bareName = (name: string): string => name.replace(/\[\d{0,4}\]$/, '')

/** Returns one value for each name; a name that occurs several times, or is written as a list, has a list. */
function groupByName(parts: readonly Part[]): FormValues {
  const lists = new Map<string, Value[]>()
  const written = new Set<string>()
  for (const [asWritten, value] of parts) {
    const name = bareName(asWritten)
    if (name !== asWritten) written.add(name)
    const list = lists.get(name)
    if (list) list.push(value)
    else lists.set(name, [value])
  }
  const form = [...lists].map(([name, values]): [string, Value | Value[]] => {
    const [first = ''] = values
    return [name, values.length > 1 || written.has(name) ? values : first]
  })
  return Object.fromEntries(form)
}

const broken = (why: string): Refusal => new Refusal('malformed', `The form cannot be read: ${why}.`)

const tooLarge = (what: string): Refusal =>
  new Refusal('too_large', `${what} is larger than this operation accepts.`)
