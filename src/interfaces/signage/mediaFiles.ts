/**
 * Detects the type, the dimensions and the duration of an uploaded file from its content. Refuses files that players
 * cannot show. Files that are truncated or corrupt after their header have no dimensions and no duration.
 */
import { open } from 'node:fs/promises'
import { contentTypeOf, UNKNOWN_TYPE } from '../../http/uploads/contentTypes.ts'
import { readVideoHeader } from '../../http/uploads/videos.ts'
import type { HeavyWork } from '../../http/files/heavyWork/index.ts'
import { addHint } from '../../state/timeline/causes.ts'
import { Refusal, refuseField } from '../../state/model/refusal.ts'
import type { MediaProperties } from '../../state/signage/media.ts'
import { isCutOff } from './cutFiles.ts'

const DRAWING = 'image/svg+xml'
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', DRAWING]
const VIDEOS = ['video/mp4', 'video/webm', 'video/quicktime']

/** Reads the properties of the file at `path`. `declared` is the content type of the upload, `size` is in bytes. */
export async function readMediaProperties(
  path: string,
  { contentType: declared, size }: { readonly contentType: string; readonly size: number },
  heavyWork: HeavyWork,
): Promise<MediaProperties> {
  if (size === 0) refuseField('file', 'empty', 'file is empty')
  const mimeType = await typeOf(path, declared)
  if (mimeType.startsWith('audio/')) return refuseSound(mimeType)
  const type = IMAGES.includes(mimeType) ? 'image' : VIDEOS.includes(mimeType) ? 'video' : null
  if (type === null) {
    return refuseField(
      'file',
      'unsupported_type',
      `file must be an image (PNG, JPEG, GIF, WebP, SVG) or a video (MP4, WebM, QuickTime); its content is ${mimeType}`,
    )
  }
  try {
    if (type === 'image') {
      const size = mimeType === DRAWING ? await drawingSize(path) : await imageSize(path)
      await mustBeWhole(path, mimeType)
      return { type, mimeType, ...size, durationMs: null }
    }
    const { hasPicture, ...facts } = await readVideoHeader({ path }, heavyWork)
    if (!hasPicture) return refuseSound(mimeType)
    await mustBeWhole(path, mimeType)
    return { type, mimeType, ...facts }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const fields = type === 'image' ? 'width and height are' : 'duration, width and height are'
    addHint(
      'unreadable_media',
      `The header of the file is ${mimeType}, but the rest is truncated or corrupt: ${fields} null. Players may not show the file.`,
    )
    return { type, mimeType, width: null, height: null, durationMs: null }
  }
}

/** The header alone has the size, so that reading it does not show that the rest is missing. */
async function mustBeWhole(path: string, mimeType: string): Promise<void> {
  if (await isCutOff(path, mimeType)) throw new Error('the file is cut off')
}

const refuseSound = (mimeType: string): never =>
  refuseField(
    'file',
    'unsupported_type',
    `file must have a picture, but has only sound (${mimeType}): send an image or a video`,
  )

/** The number of bytes that are searched for the root tag of an SVG file, and for its end tag. */
const LONGEST_ROOT = 16_384

/** Detects the type from the content. Text is SVG only if it has an SVG root, even if SVG was declared. */
async function typeOf(path: string, declared: string): Promise<string> {
  const type = await contentTypeOf(path, declared)
  // iTunes and Apple TV use their own brand of MP4.
  if (type === 'video/x-m4v') return 'video/mp4'
  if (type === UNKNOWN_TYPE && (await isPng(path))) return 'image/png'
  const isText = type.startsWith('text/') || type.endsWith('xml')
  if (!isText) return type
  if (rootOf(await beginningOf(path)) !== null) return DRAWING
  return type === DRAWING ? 'text/plain' : type
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Checks for a PNG signature, because the type detection misses files with little more than that. */
async function isPng(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(PNG_SIGNATURE.length), 0, PNG_SIGNATURE.length, 0)
    return buffer.equals(PNG_SIGNATURE)
  } finally {
    await file.close()
  }
}

const beginningOf = (path: string): Promise<string> => textOf(path, () => 0)

const endOf = (path: string): Promise<string> => textOf(path, (size) => Math.max(0, size - LONGEST_ROOT))

async function textOf(path: string, positionIn: (size: number) => number): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(LONGEST_ROOT),
      0,
      LONGEST_ROOT,
      positionIn(size),
    )
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The start and end of constructs that XML allows before the root. */
const BEFORE_ROOT = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
] as const

/** Returns the root tag of an SVG text, possibly truncated; null if the root is not SVG. */
function rootOf(text: string): string | null {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  for (;;) {
    const [, end] = BEFORE_ROOT.find(([start]) => rest.startsWith(start)) ?? []
    if (end === undefined) break
    // The internal declarations of a DOCTYPE also end with ">".
    const isOpen = end === '>' && /^[^>]*\[/.test(rest)
    const at = rest.indexOf(isOpen ? ']>' : end)
    if (at < 0) return null
    rest = rest.slice(at + (isOpen ? 2 : end.length)).trimStart()
  }
  return /^<svg(?=[\s>/])[^>]*>?/.exec(rest)?.[0] ?? null
}

type Size = Pick<MediaProperties, 'width' | 'height'>

/** Returns the size in pixels from the attributes or the view box; null values if it has neither. */
async function drawingSize(path: string): Promise<Size> {
  const root = rootOf(await beginningOf(path)) ?? ''
  if (!root.endsWith('>')) throw new Error('the SVG file is truncated in its root tag')
  if (!root.endsWith('/>') && !/<\/svg\s*>/.test(await endOf(path))) {
    throw new Error('the SVG file has no end of its root')
  }
  const length = (name: string): number | null =>
    asPixels(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([0-9.]{1,10})(?:px)?\\s*["']`).exec(root)?.[1])
  const [, , width, height] =
    /\sviewBox\s*=\s*["']([-0-9., ]{1,80})["']/.exec(root)?.[1]?.trim().split(/[ ,]+/) ?? []
  return { width: length('width') ?? asPixels(width), height: length('height') ?? asPixels(height) }
}

const asPixels = (text: string | undefined): number | null => {
  const pixels = Math.round(Number(text))
  return text !== undefined && pixels >= 1 ? pixels : null
}

/** EXIF orientations from 5 on swap width and height. */
const FIRST_ROTATED = 5

async function imageSize(path: string): Promise<Size> {
  const { imageSizeFromFile } = await import('image-size/fromFile')
  const { width, height, orientation = 1 } = await imageSizeFromFile(path)
  return orientation >= FIRST_ROTATED ? { width: height, height: width } : { width, height }
}
