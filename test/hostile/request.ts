/** A request down to its bytes, so that it can be repeated exactly. */

export type Header = readonly [name: string, value: string]

export interface HostileRequest {
  readonly method: string
  /** Path and query as on the request line, one byte per character. `MADE` stands for the id of a new record. */
  readonly target: string
  /** One byte per character. Host and Content-Length are added if they are missing. */
  readonly headers: readonly Header[]
  readonly body: Buffer | null
  /** All bytes of a connection, instead of those derived from the fields above. */
  readonly wire?: Buffer
}

/** Requests that are sent simultaneously. */
export interface Stage {
  readonly requests: readonly HostileRequest[]
  /** True if the first response creates the record whose id later stages use as `MADE`. */
  readonly makes?: boolean
}

/** One case: the stages of an attack on an operation. */
export interface Plan {
  /** "fields: name is text of 70,000 characters" */
  readonly kind: string
  readonly stages: readonly Stage[]
}

/** A placeholder in a target for the id of the record that the first stage created. */
export const NEW_RECORD_ID = ':made:'

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The bytes of the request for a server with the name `host`. */
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

/** Encodes only characters that would end a path or a query; the server must handle the rest. */
export const encodedLoosely = (text: string): string => text.replaceAll(/[\s#?&/%]|[^\x21-\x7e]/gu, encoded)

function encoded(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
}
