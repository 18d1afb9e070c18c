/** Takes a form off its connection: texts as they are, files by way of the disk, all within limits. */
import type { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../state/refusal.ts'
import { drain } from './draining.ts'
import { Receiver, Upload } from './uploads.ts'

export interface FormLimits {
  /** Bytes that a file may have. */
  readonly file: number
  /** Files that the form may hold; 1 unless told otherwise. The content of further ones is dropped. */
  readonly files?: number
  /** Texts and files that it may hold in all; 100 unless told otherwise. */
  readonly parts?: number
}

/** Texts and files beyond this many make no honest form. */
const MAX_PARTS = 100

/** Bytes that the texts of a form may have in all: as many as a body of JSON. */
const LARGEST_TEXTS = 1_048_576

/** Bytes that the heads of all parts may have. */
const LARGEST_HEADS = 65_536

/** Bytes that the head of a part may have; the rest of a longer one is not read. */
const LARGEST_HEAD = 16_384

type Value = string | Upload

/** A value for each name; a name that comes several times, or ends in [], holds a list. */
export type FormValues = Record<string, Value | Value[]>

/** A part as the journal keeps it. */
export interface SentPart {
  /** As it was written: "attachment[]". */
  readonly name: string
  /** Whether the operation asks for it. */
  readonly isUsed: boolean
  /** The beginning of a text; of a file what it is called, and how many bytes of it came. */
  value: string | { readonly filename: string; readonly contentType: string; size: number }
}

/** Characters of a text, a name and a filename that are kept. */
const LONGEST_KEPT = 200

/**
 * Reads the form; files go to where `nextPath` says; parts whose names are not among `names` are dropped. What breaks a rule is refused
 * at once, and the rest of it is taken off the connection unread. `sent` gets the parts as far as they came, also when the form is refused.
 */
export async function receiveForm(
  request: FastifyRequest,
  names: ReadonlySet<string>,
  limits: FormLimits,
  nextPath: () => string,
  sent: SentPart[],
): Promise<FormValues> {
  const reception = new Reception(names, limits, nextPath, sent)
  try {
    return await reception.receive(request)
  } catch (error) {
    drain(request.raw)
    await reception.abandon()
    throw error
  }
}

type Part = readonly [name: string, value: Value]

class Reception {
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

  /** All of it. What is still to come when this fails is left where it is. */
  receive(request: FastifyRequest): Promise<FormValues> {
    const { file, files } = this.#limits
    const most = file * files + LARGEST_TEXTS + LARGEST_HEADS
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge('The form')
    return new Promise((resolve, reject: (error: unknown) => void) => {
      let size = 0
      request.raw.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > most) reject(tooLarge('The form'))
      })
      this.#all(request, reject).then((form) => {
        // The parser reads an empty body as an empty form.
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
      // Texts are read as bytes because the parser would replace what is not UTF-8.
      isPartAFile: (name) => {
        if (name !== undefined && name in Object.prototype) this.#pass(name, refuse)
        return true
      },
    })
    try {
      for await (const part of sent as AsyncIterable<MultipartFile>) {
        const taken = await (this.#taking = this.#take(part))
        if (taken) parts.push(taken)
      }
    } catch (error) {
      if (!isOfNames(error)) throw refusalOf(error)
    }
    return gathered(parts)
  }

  /** Records a part that the plugin drops because every object has a property of its name. */
  #pass(name: string, refuse: (error: unknown) => void): void {
    this.#sent.push({ name, isUsed: false, value: '' })
    if (name === '__proto__') refuse(broken('a part is named __proto__'))
  }

  /** Writes nothing more of it. */
  async abandon(): Promise<void> {
    this.#stream?.destroy()
    await this.#taking?.catch(() => undefined)
    for (const receiver of this.#receivers) await receiver.close()
  }

  /** null for a part that no operation asks for. */
  async #take({ fieldname: name, file: stream, filename, mimetype }: PartAsSent): Promise<Part | null> {
    this.#stream = stream
    // A part that ends before it should is told of by the parser, too.
    stream.on('error', () => undefined)
    mustBeNamed(name, filename)
    const isFile = filename !== undefined || mimetype === 'application/octet-stream'
    const isUsed = this.#names.has(bareName(name))
    const sent = {
      name: name.slice(0, LONGEST_KEPT),
      isUsed,
      value: isFile
        ? {
            filename: (filename ?? '').slice(0, LONGEST_KEPT),
            contentType: mimetype.slice(0, LONGEST_KEPT),
            size: 0,
          }
        : '',
    }
    this.#sent.push(sent)
    const pieces = followed(stream, sent)
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
    if (type === 'application/json') throw broken(`${name} is no plain text`)
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
      await drop(content)
      return new Upload(filename, type, 0, { bytes: Buffer.alloc(0) })
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

async function drop(pieces: AsyncIterable<Buffer>): Promise<void> {
  const each = pieces[Symbol.asyncIterator]()
  while ((await each.next()).done !== true);
}

/** Yields the pieces of a part and adds each to the part's kept value. */
async function* followed(stream: Readable, part: SentPart): AsyncGenerator<Buffer, void> {
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (typeof part.value !== 'string') part.value.size += piece.length
    else if (part.value.length < LONGEST_KEPT) {
      // A character takes four bytes at most.
      const text = part.value + piece.toString('utf8', 0, LONGEST_KEPT * 4)
      part.value = text.slice(0, LONGEST_KEPT)
    }
    yield piece
  }
}

/** The part as the plugin passes it on. Its own types leave out that names may be missing. */
type PartAsSent = Pick<MultipartFile, 'file' | 'mimetype'> & {
  readonly fieldname: string | undefined
  readonly filename: string | undefined
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code

const isOfNames = (error: unknown): boolean => codeOf(error) === 'FST_PROTO_VIOLATION'

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

/** What the parser puts where a name is no UTF-8. */
const REPLACEMENT = '\uFFFD'

function mustBeNamed(name: string | undefined, filename = ''): asserts name is string {
  if (name === undefined || bareName(name) === '') throw broken('a part has no name')
  if (bareName(name) === '__proto__') throw broken('a part is named __proto__')
  if (name.includes(REPLACEMENT) || filename.includes(REPLACEMENT)) {
    throw broken('the name of a part is not UTF-8')
  }
  if (name.includes('\0') || filename.includes('\0')) throw broken('the name of a part holds a NUL character')
}

function textOf(name: string, bytes: Buffer): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw broken(`${name} is not UTF-8`)
  }
  if (text.includes('\0')) throw new Refusal('malformed', 'The form holds a NUL character.')
  return text
}

/** "attachments" for "attachments[]" and "attachments[0]". */
export const bareName = (name: string): string => name.replace(/\[\d{0,4}\]$/, '')

/** One value for each name; a name that comes several times, or is written as that of a list, holds one. */
function gathered(parts: readonly Part[]): FormValues {
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
  new Refusal('too_large', `${what} is larger than this operation takes.`)
