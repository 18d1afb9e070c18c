/** Builds multipart forms as a browser sends them. */
import type { CallOptions } from './app.ts'

export interface SentFile {
  readonly filename: string
  readonly content: string | Buffer
  /** Defaults to "text/csv". */
  readonly type?: string
}

const BOUNDARY = '----simulated-form'

/** Returns the body and content type of a multipart form; a list repeats its name. */
export function formOf(
  fields: Readonly<Record<string, string | SentFile | readonly (string | SentFile)[]>>,
): Required<Pick<CallOptions, 'raw' | 'contentType'>> {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly (string | SentFile)[]) : [value as string | SentFile]).map(
      (each) => partOf(name, each),
    ),
  )
  return {
    raw: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  }
}

/** Escapes a name as browsers do, which leave percent signs. */
const escaped = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

function partOf(name: string, value: string | SentFile): Buffer {
  const isFile = typeof value !== 'string'
  const head = isFile
    ? `; filename="${escaped(value.filename)}"\r\nContent-Type: ${value.type ?? 'text/csv'}`
    : ''
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`),
    Buffer.from(isFile ? value.content : value),
    Buffer.from('\r\n'),
  ])
}
