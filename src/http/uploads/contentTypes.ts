/** Detects the content type of a file from its content, because declared types are often wrong. */
import { open } from 'node:fs/promises'
import type { HeavyWork } from '../files/heavyWork/index.ts'
import type { Upload } from './uploads.ts'
import { readVideoHeader } from './videos.ts'

/** The type of a file that is not recognized. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Bytes that the text check reads. */
const SAMPLE_SIZE = 4096

/**
 * Returns the media type of the file at `path`: detected from its signature, or, for a text, the `declared`
 * Content-Type. The declared type is never used for binary content.
 */
export async function contentTypeOf(path: string, declared: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path)
  const declaredType = typeWithoutParameters(declared)
  // SVG images are XML; only the declared type tells them apart.
  if (found && found.mime !== 'application/xml') return typeWithoutParameters(found.mime)
  if (!(await isText(path))) return UNKNOWN_TYPE
  return /^(?:text\/[\w.+-]+|application\/(?:json|xml|\w[\w.-]*\+(?:json|xml))|image\/svg\+xml)$/.test(
    declaredType,
  )
    ? declaredType
    : 'text/plain'
}

/** Returns the detected media type of an uploaded file, without the declared type. */
export async function contentTypeOfUpload({ content }: Upload): Promise<string> {
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const isOnDisk = 'path' in content
  const found = await (isOnDisk ? fileTypeFromFile(content.path) : fileTypeFromBuffer(content.bytes))
  // Stored types have no parameters, such as the codec of a voice note.
  if (found) return typeWithoutParameters(found.mime)
  const isPlain = isOnDisk ? await isText(content.path) : isTextual(content.bytes.subarray(0, SAMPLE_SIZE))
  return isPlain ? 'text/plain' : UNKNOWN_TYPE
}

/** Declared types of texts that no browser runs or renders as a page. */
const SAFE_TEXT = /^(?:text\/(?:csv|tab-separated-values|markdown|calendar|vcard)|application\/json)$/

/** Types of videos whose files may have only sound, such as the voice notes of browsers. */
const MAYBE_SOUND: readonly string[] = ['video/webm', 'video/mp4']

/** Returns the media type to store with an uploaded file: detected, or the declared one of a text if it is safe. */
export async function storedTypeOfUpload(upload: Upload, heavyWork: HeavyWork): Promise<string> {
  const detected = await contentTypeOfUpload(upload)
  if (MAYBE_SOUND.includes(detected)) {
    const header = await readVideoHeader(upload.content, heavyWork).catch(() => null)
    return header?.hasPicture === false ? detected.replace('video', 'audio') : detected
  }
  const declared = typeWithoutParameters(upload.contentType)
  return detected === 'text/plain' && SAFE_TEXT.test(declared) ? declared : detected
}

/** Returns "text/csv" for "Text/CSV; charset=utf-8". */
const typeWithoutParameters = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? ''

/** Checks that the start of the file is UTF-8 without control characters. */
async function isText(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_SIZE), 0, SAMPLE_SIZE, 0)
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
