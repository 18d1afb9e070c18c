/** Builds multipart bodies. */
import type { RecordedField } from './format/recording.ts'

const BOUNDARY = 'suite-sim-replay-7d1c0a5e'

/** Returns the body of a form with its header. */
export function formBody(fields: readonly RecordedField[]): {
  readonly headers: Record<string, string>
  readonly body: Buffer
} {
  const parts = fields.flatMap(({ name, value, filename, contentType, base64 = '' }) => {
    const disposition = `form-data; name="${quoted(name)}"${filename === undefined ? '' : `; filename="${quoted(filename)}"`}`
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`
    return [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}${type}\r\n\r\n`),
      value === undefined ? Buffer.from(base64, 'base64') : Buffer.from(value),
      Buffer.from('\r\n'),
    ]
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  }
}

/** Escapes a name as browsers do (https://html.spec.whatwg.org/#multipart-form-data). */
const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
