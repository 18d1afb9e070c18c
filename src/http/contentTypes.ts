/** What a file is, by what it holds: what senders say of it is often wrong, and sometimes a lie. */
import { open } from 'node:fs/promises'
import type { Upload } from './uploads.ts'

/** What nobody knows more of. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Bytes of a text that are looked at. */
const LOOKED_AT = 4096

/**
 * The media type of the file at `path`: by the marks of its format, and for a text, which has none, as it was declared.
 * `declared` is the Content-Type that it was sent with; what is no text is never believed to be what it says.
 */
export async function contentTypeOf(path: string, declared: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path)
  const said = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  // A picture in SVG is XML, and only its sender knows what it is meant to be.
  if (found && found.mime !== 'application/xml') return found.mime
  if (!(await isText(path))) return UNKNOWN_TYPE
  return /^(?:text\/[\w.+-]+|application\/(?:json|xml|\w[\w.-]*\+(?:json|xml))|image\/svg\+xml)$/.test(said)
    ? said
    : 'text/plain'
}

/** What an uploaded file is by itself, whatever its sender says. */
export async function contentTypeOfUpload({ content }: Upload): Promise<string> {
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const isOnDisk = 'path' in content
  const found = await (isOnDisk ? fileTypeFromFile(content.path) : fileTypeFromBuffer(content.bytes))
  if (found) return found.mime
  const isPlain = isOnDisk ? await isText(content.path) : isTextual(content.bytes.subarray(0, LOOKED_AT))
  return isPlain ? 'text/plain' : UNKNOWN_TYPE
}

/** UTF-8 without control characters, as far as was looked. */
async function isText(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0)
    return isTextual(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function isTextual(beginning: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    // oxlint-disable-next-line no-control-regex
    return !/[\0-\x08\x0e-\x1f]/.test(text)
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
