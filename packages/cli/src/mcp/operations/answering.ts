/** Converts the responses of the interfaces to the texts of a tool. */
import type { LongAnswers } from '../shared/answers.ts'
import type { ToolAnswer } from '../shared/tools.ts'

/** The bytes of a response that are read. Later ones are left out. */
export const MAX_RESPONSE_BYTES = 16_777_216

const MAX_HINTS = 20
const LONGEST_HINT = 500
const LONGEST_HEADER = 500

export interface Hint {
  readonly code: string
  readonly message: string
}

/** Headers that say nothing about the operation. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'vary', 'server'],
  ...['x-content-type-options', 'cache-control'],
])

/** Returns the status with the headers, the body in pages, and the hints. A refusal is an error. */
export async function answerOf(
  response: Response,
  answers: LongAnswers,
  hints: readonly Hint[] = [],
): Promise<ToolAnswer> {
  const { bytes, isCut } = await readBounded(response)
  const type = response.headers.get('content-type') ?? ''
  const body = isText(type) ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('base64')
  const headers = [...response.headers]
    .filter(([name]) => !CONNECTION_HEADERS.has(name))
    .map(([name, value]) => `${name}: ${value.slice(0, LONGEST_HEADER)}`)
  const size = `${String(bytes.length)} bytes`
  const notes = [
    ...(isCut ? [`The body is longer. These are its first ${size}; the rest is left out.`] : []),
    ...(bytes.length > 0 && !isText(type) ? [`The body is a file of ${size}, as base64.`] : []),
  ]
  const head = [`HTTP ${String(response.status)} ${response.statusText}`.trim(), ...headers, ...notes]
  return {
    texts: [
      head.join('\n'),
      ...(body === '' ? [] : answers.open(body)),
      ...(hints.length === 0 ? [] : [hintText(hints)]),
    ],
    isError: response.status >= 400,
  }
}

function hintText(hints: readonly Hint[]): string {
  const lines = hints
    .slice(0, MAX_HINTS)
    .map(({ code, message }) => `- ${code}: ${message.slice(0, LONGEST_HINT)}`)
  const left = hints.length - lines.length
  const rest = left > 0 ? [`- and ${String(left)} more`] : []
  return ['Hints of the simulator, which are not part of the response:', ...lines, ...rest].join('\n')
}

const isText = (type: string): boolean => /^text\/|[/+](?:json|xml)\b/.test(type)

async function readBounded({
  body,
}: Response): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (body) {
    const reader = body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      chunks.push(piece.value as Uint8Array)
      size += (piece.value as Uint8Array).length
      if (size > MAX_RESPONSE_BYTES) {
        await reader.cancel()
        break
      }
    }
  }
  return {
    bytes: Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES),
    isCut: size > MAX_RESPONSE_BYTES,
  }
}
