/** Pictures and videos that are cut off after their header, and whole ones that look similar. */
import { describe, expect, test } from 'vitest'
import { freshSignage, PIXEL, type Signage } from '../../support/signage.ts'
import { videoOf } from '../../support/videos.ts'

const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xABNAAEBAAAAAAAAAAAAAAAAAAAABgEBAQEAAAAAAAAAAAAAAAAAAAYHEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAEAAYAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AiwEo38AB/9k=',
  'base64',
)
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const WEBP = Buffer.from(
  'UklGRkgAAABXRUJQVlA4IDwAAAAQAwCdASoYABAAPpE4l0eloyIhMAgAsBIJQBdl0AAQNgAA/u7T3/4DdfFtMv/3OB/3OB/3OB/HM1mAAAA=',
  'base64',
)
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><path d="M0 0"/></svg>',
)

const VIDEO = { seconds: 2, width: 320, height: 180 }
const MP4 = await videoOf('mp4', VIDEO)
const WEBM = await videoOf('webm', VIDEO)

/** The same video with another brand, which makes it QuickTime. */
const MOV = Buffer.from(MP4)
MOV.write('qt  ', 8)

const WHOLE: readonly [what: string, mimeType: string, content: Buffer, width: number][] = [
  ['PNG', 'image/png', PIXEL, 1],
  ['JPEG', 'image/jpeg', JPEG, 24],
  ['GIF', 'image/gif', GIF, 1],
  ['WebP', 'image/webp', WEBP, 24],
  ['SVG', 'image/svg+xml', SVG, 24],
  ['MP4', 'video/mp4', MP4, 320],
  ['QuickTime', 'video/quicktime', MOV, 320],
  ['WebM', 'video/webm', WEBM, 320],
]

async function sizeOf({ addMedia, fresh }: Signage, content: Buffer) {
  const { mime_type, width, height, duration } = await addMedia({ file: { filename: 'x', content } })
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/hints`)
  const hints = (body as { data: { code: string }[] }).data.map(({ code }) => code)
  return { mime_type, width, isKnown: width !== null && height !== null, duration, hints }
}

describe.each(WHOLE)('%s', (_what, mime_type, content, width) => {
  test('has its size and no hint if it is whole', async () => {
    expect(await sizeOf(await freshSignage(), content)).toMatchObject({ mime_type, width, hints: [] })
  })

  test.each([1, 2, 5, 10])('has no size and a hint without its last bytes: %i', async (missing) => {
    const cut = content.subarray(0, content.length - missing)
    expect(await sizeOf(await freshSignage(), cut)).toEqual({
      mime_type,
      width: null,
      isKnown: false,
      duration: null,
      hints: ['unreadable_media'],
    })
  })
})

const box = (type: string, content: Buffer, length = 8 + content.length): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(length)
  header.write(type, 4)
  return Buffer.concat([header, content])
}

/** The boxes of the first level of an MP4, without their headers. */
function boxesOf(video: Buffer): { type: string; content: Buffer }[] {
  if (video.length === 0) return []
  const length = video.readUInt32BE(0)
  const type = video.toString('latin1', 4, 8)
  return [{ type, content: video.subarray(8, length) }, ...boxesOf(video.subarray(length))]
}

const FRAMES = boxesOf(MP4).find(({ type }) => type === 'mdat')?.content ?? Buffer.alloc(0)
const BEFORE_FRAMES = Buffer.concat(
  boxesOf(MP4)
    .filter(({ type }) => type !== 'mdat')
    .map(({ type, content }) => box(type, content)),
)

/** The length of a box in 64 bits, which 1 announces. */
const long = (length: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

/** A segment of a photograph with a thumbnail that is whole. */
const thumbnail = Buffer.from('ffe10006ffd8ffd9', 'hex')
const withThumbnail = Buffer.concat([JPEG.subarray(0, 2), thumbnail, JPEG.subarray(2)])

/** A segment of unknown length, as recordings have. The zeros before the first bit of a length tell its bytes. */
const segmentAt = WEBM.indexOf(Buffer.from('18538067', 'hex')) + 4
const bytesOfLength = Math.clz32(WEBM[segmentAt] ?? 0) - 23
const RECORDING = Buffer.from(WEBM)
RECORDING.fill(0xff, segmentAt, segmentAt + bytesOfLength)
RECORDING[segmentAt] = 0xff >> (bytesOfLength - 1)

test.each<[what: string, content: Buffer]>([
  ['a PNG with other data after its end', Buffer.concat([PIXEL, Buffer.alloc(70_000, 'x')])],
  ['a photograph with a video after its end', Buffer.concat([JPEG, Buffer.alloc(2_000_000, 'x')])],
  ['a photograph with a thumbnail', withThumbnail],
  ['an animation that is filled up with zeros', Buffer.concat([GIF, Buffer.alloc(512)])],
  ['a WebP with other data after its end', Buffer.concat([WEBP, Buffer.from('more')])],
  ['a drawing of one tag', Buffer.from('<svg width="3" height="4"/>')],
  ['a drawing with spaces and a comment after its end', Buffer.concat([SVG, Buffer.from('\n<!-- a -->\n')])],
  ['a video with frames up to the end', Buffer.concat([BEFORE_FRAMES, box('mdat', FRAMES, 0)])],
  [
    'a video with a length of 64 bits',
    Buffer.concat([BEFORE_FRAMES, box('mdat', Buffer.concat([long(16 + FRAMES.length), FRAMES]), 1)]),
  ],
  ['a video with zeros after its end', Buffer.concat([MP4, Buffer.alloc(100)])],
  ['a recording of unknown length', RECORDING],
])('shows the size of %s', async (_what, content) => {
  expect(await sizeOf(await freshSignage(), content)).toMatchObject({ isKnown: true, hints: [] })
})

test.each<[what: string, content: Buffer]>([
  ['a photograph with a thumbnail that is cut', withThumbnail.subarray(0, -2)],
  ['a drawing that is cut after a whole tag', SVG.subarray(0, SVG.indexOf('</svg'))],
  ['a video without frames', BEFORE_FRAMES],
  [
    'a video with a length of 64 bits that is cut',
    Buffer.concat([BEFORE_FRAMES, box('mdat', Buffer.concat([long(17 + FRAMES.length), FRAMES]), 1)]),
  ],
  ['a video with a length that has no end', Buffer.concat([BEFORE_FRAMES, box('mdat', Buffer.alloc(4), 1)])],
  [
    'a PNG with a chunk past its end',
    Buffer.concat([PIXEL.subarray(0, 33), Buffer.from('7fffffff49444154', 'hex'), Buffer.alloc(50)]),
  ],
])('shows no size of %s', async (_what, content) => {
  expect(await sizeOf(await freshSignage(), content)).toMatchObject({
    isKnown: false,
    hints: ['unreadable_media'],
  })
})

test('reads a PNG of many empty chunks in bounded time', async () => {
  const chunk = Buffer.from('0000000074455874aaaaaaaa', 'hex')
  const content = Buffer.concat([PIXEL.subarray(0, 33), ...Array.from({ length: 70_000 }, () => chunk)])
  // After 65,536 chunks, the file counts as whole.
  expect(await sizeOf(await freshSignage(), content)).toMatchObject({ width: 1, hints: [] })
})
