/**
 * What an uploaded file is and how large its picture is, as the file itself tells: its type by the marks of its format, the
 * size of an image and the length of a video by its header. What is no image or video that players show is refused; of
 * one that is cut off or broken behind its header nothing more is known.
 */
import { open } from 'node:fs/promises'
import { contentTypeOf, UNKNOWN_TYPE } from '../../http/contentTypes.ts'
import type { HeavyTask, HeavyWork } from '../../http/heavyWork/index.ts'
import { addHint } from '../../state/causes.ts'
import { Refusal, refuseField } from '../../state/refusal.ts'
import type { MediaFacts } from '../../state/signage/media.ts'
import type { VideoFacts } from './videoReading.ts'

const DRAWING = 'image/svg+xml'
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', DRAWING]
const VIDEOS = ['video/mp4', 'video/webm', 'video/quicktime']

/** What the file at `path` holds; `declared` is the type that it was sent with, `size` its bytes. */
export async function mediaFactsOf(
  path: string,
  { contentType: declared, size }: { readonly contentType: string; readonly size: number },
  heavyWork: HeavyWork,
): Promise<MediaFacts> {
  if (size === 0) refuseField('file', 'empty', 'file is empty: it has no bytes')
  const mimeType = await typeOf(path, declared)
  if (mimeType.startsWith('audio/')) return refuseSound(mimeType)
  const type = IMAGES.includes(mimeType) ? 'image' : VIDEOS.includes(mimeType) ? 'video' : null
  if (type === null) {
    return refuseField(
      'file',
      'unsupported_type',
      `file must be an image (PNG, JPEG, GIF, WebP, SVG) or a video (MP4, WebM, QuickTime), and holds ${mimeType}`,
    )
  }
  try {
    if (type === 'image') {
      const size = mimeType === DRAWING ? await drawingSize(path) : await imageSize(path)
      return { type, mimeType, ...size, durationMs: null }
    }
    const { hasPicture, ...facts } = await heavyWork.run(task, path)
    return hasPicture ? { type, mimeType, ...facts } : refuseSound(mimeType)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const what = type === 'image' ? 'width and height are' : 'duration, width and height are'
    addHint(
      'unreadable_media',
      `The header of the file says ${mimeType}, and the rest is cut off or broken: ${what} null, and players may not show it.`,
    )
    return { type, mimeType, width: null, height: null, durationMs: null }
  }
}

const refuseSound = (mimeType: string): never =>
  refuseField(
    'file',
    'unsupported_type',
    `file must have a picture, and holds only sound (${mimeType}): send an image or a video`,
  )

/** Bytes of a drawing in SVG in which its root has to begin and its attributes have to end. */
const LONGEST_ROOT = 16_384

/** The type by content; text is a drawing if it holds one, and is none else, whatever it was said to be. */
async function typeOf(path: string, declared: string): Promise<string> {
  const type = await contentTypeOf(path, declared)
  // iTunes and Apple TV give MP4 a brand of their own.
  if (type === 'video/x-m4v') return 'video/mp4'
  if (type === UNKNOWN_TYPE && (await isCutPng(path))) return 'image/png'
  const isText = type.startsWith('text/') || type.endsWith('xml')
  if (!isText) return type
  if (rootOf(await beginningOf(path)) !== null) return DRAWING
  return type === DRAWING ? 'text/plain' : type
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of little more than its signature, which the detection of types does not know. */
async function isCutPng(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(PNG_SIGNATURE.length), 0, PNG_SIGNATURE.length, 0)
    return buffer.equals(PNG_SIGNATURE)
  } finally {
    await file.close()
  }
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_ROOT), 0, LONGEST_ROOT, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What may stand before the root of a document in XML, and how it ends. */
const BEFORE_ROOT = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
] as const

/** The first tag of a drawing, which may be cut off; null where it is none. */
function rootOf(text: string): string | null {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  for (;;) {
    const [, end] = BEFORE_ROOT.find(([start]) => rest.startsWith(start)) ?? []
    if (end === undefined) break
    // A document type may have declarations of its own, each of which ends like it.
    const isOpen = end === '>' && /^[^>]*\[/.test(rest)
    const at = rest.indexOf(isOpen ? ']>' : end)
    if (at < 0) return null
    rest = rest.slice(at + (isOpen ? 2 : end.length)).trimStart()
  }
  return /^<svg(?=[\s>/])[^>]*>?/.exec(rest)?.[0] ?? null
}

type Size = Pick<MediaFacts, 'width' | 'height'>

/** In pixels, by its attributes or by its view box; none where it has neither. */
async function drawingSize(path: string): Promise<Size> {
  const root = rootOf(await beginningOf(path)) ?? ''
  if (!root.endsWith('>')) throw new Error('the drawing breaks off in its first tag')
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

/** A photograph that was taken with the camera turned is shown turned back. */
const FIRST_TURNED = 5

async function imageSize(path: string): Promise<Size> {
  const { imageSizeFromFile } = await import('image-size/fromFile')
  const { width, height, orientation = 1 } = await imageSizeFromFile(path)
  return orientation >= FIRST_TURNED ? { width: height, height: width } : { width, height }
}

/** In a thread of its own, for a header may be as large as its sender likes. */
const task: HeavyTask<string, VideoFacts> = {
  name: 'readVideo',
  here: async (path) => (await import('./videoReading.ts')).readVideo(path),
}
