/** What is sent, down to its bytes, so that it can be sent again as it was. */

export type Header = readonly [name: string, value: string]

export interface HostileRequest {
  readonly method: string
  /** Path and query as they stand on the request line, one byte a character. `MADE` stands for the id of a new record. */
  readonly target: string
  /** One byte a character. Host and Content-Length are added where they are not among them. */
  readonly headers: readonly Header[]
  readonly body: Buffer | null
  /** All bytes of a connection, in the place of the ones that follow from the above. */
  readonly wire?: Buffer
}

/** Requests that are sent at the same time. */
export interface Stage {
  readonly requests: readonly HostileRequest[]
  /** Whether the first answer makes the record whose id the stages that follow name as `MADE`. */
  readonly makes?: boolean
}

/** One case: what is done to an operation, stage after stage. */
export interface Plan {
  /** "fields: name is text of 70,000 characters" */
  readonly kind: string
  readonly stages: readonly Stage[]
}

/** Stands in a target for the id of the record that the first stage has made. */
export const MADE = ':made:'

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The bytes of the request, for a server that is called `host`. */
export function bytesOf({ method, target, headers, body, wire }: HostileRequest, host: string): Buffer {
  if (wire) return wire
  const has = (name: string): boolean => headers.some(([each]) => each.toLowerCase() === name)
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  if (!has('host')) lines.unshift(`host: ${host}\r\n`)
  if (body && !has('content-length') && !has('transfer-encoding'))
    lines.push(`content-length: ${String(body.length)}\r\n`)
  const head = latin1(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return body ? Buffer.concat([head, body]) : head
}

/** Text as it stands in a path or a query: only what would end it is encoded; the rest is the server's problem. */
export const encodedLoosely = (text: string): string => text.replaceAll(/[\s#?&/%]|[^\x21-\x7e]/gu, encoded)

function encoded(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
}
