/** Specification part 1, "Other signage records", "Signage": media, the metadata of their files, and their uses. */
import { describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../../support/app.ts'
import type { formOf } from '../../support/forms.ts'
import {
  drawing,
  freshSignage,
  invalid,
  NOON,
  PIXEL,
  type LayoutBody,
  type MediaBody,
  type PageBody,
  type PlaylistBody,
} from '../../support/signage.ts'
import { soundOf, videoOf } from '../../support/videos.ts'

/** Only the header of a file of the MP4 family. */
const HEADER = (brand: string): Buffer => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\x02\0isomiso2`, 'latin1')

/** The hints of this kind in the workspace. */
async function hintsIn(fresh: FreshApp, code = 'unreadable_media') {
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/hints`)
  return (body as { data: { code: string; message: string }[] }).data.filter((hint) => hint.code === code)
}

describe('upload', () => {
  test('of a picture shows the metadata of its file and a download link', async () => {
    const { ask, upload, fresh, events } = await freshSignage()
    const file = { filename: 'pixel.png', content: PIXEL, type: 'text/plain' }
    const { status, body } = await upload({
      file,
      name: 'Pixel',
      folder_id: 'folder_a',
      'tags[]': ['a', 'b', 'a'],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^med_/) as string,
      name: 'Pixel',
      type: 'image',
      mime_type: 'image/png',
      file_size: PIXEL.length,
      width: 1,
      height: 1,
      duration: null,
      url: expect.stringContaining('/pixel.png?expires=') as string,
      thumbnail_url: body.url,
      folder_id: 'folder_a',
      tags: ['a', 'b'],
      status: 'ready',
      created_at: NOON,
      updated_at: NOON,
    })
    expect(await ask('GET', `/media/${body.id}`)).toEqual(body)
    const loaded = await fresh.app.fastify.inject(new URL(body.url).pathname + new URL(body.url).search)
    expect(loaded.headers['content-type']).toBe('image/png')
    expect(loaded.rawPayload).toEqual(PIXEL)
    expect(events()).toEqual(['media.created'])
  })

  test('is named after its file by default, and may have one tag or none', async () => {
    const { addMedia } = await freshSignage()
    expect(await addMedia()).toMatchObject({ name: 'drawing.svg', tags: [], folder_id: null })
    expect(await addMedia({ tags: 'one' })).toMatchObject({ tags: ['one'] })
    expect(await addMedia({ tags: 'a', 'tags[]': 'b' })).toMatchObject({ tags: ['a', 'b'] })
    expect(await addMedia({ 'tags[0]': 'a', 'tags[1]': 'b' })).toMatchObject({ tags: ['a', 'b'] })
    expect(await addMedia({ 'tags[0]': 'a' })).toMatchObject({ tags: ['a'] })
  })

  test.each([
    ['its width and height', '<svg xmlns="http://www.w3.org/2000/svg" width="64px" height="32.4"/>', 64, 32],
    ['its view box', '<?xml version="1.0"?>\n<svg viewBox="0 0 300,150"></svg>', 300, 150],
    ['nothing', '<svg></svg>', null, null],
    [
      'its width and height after a document type',
      '<!-- <p> -->\n<!DOCTYPE svg [<!ENTITY a "b>">]>\n<svg width="3" height="4"><p/></svg >',
      3,
      4,
    ],
  ])('of a drawing has the size of %s', async (_what, content, width, height) => {
    const { addMedia } = await freshSignage()
    expect(await addMedia({ file: { filename: 'a.svg', content } })).toMatchObject({
      mime_type: 'image/svg+xml',
      width,
      height,
    })
  })

  test.each(['mp4', 'webm'] as const)('of a video in %s has its length and its size', async (format) => {
    const { addMedia, ask } = await freshSignage()
    const file = {
      filename: `clip.${format}`,
      content: await videoOf(format, { seconds: 2, width: 320, height: 180 }),
    }
    const medium = await addMedia({ file })
    expect(medium).toMatchObject({
      type: 'video',
      mime_type: `video/${format}`,
      width: 320,
      height: 180,
      thumbnail_url: null,
    })
    expect(medium.duration).toBeCloseTo(2, 1)
    const playlist = await ask<PlaylistBody>('POST', '/playlists', {
      name: 'Clips',
      items: [{ media_id: medium.id }, { media_id: medium.id, duration: 1 }],
    })
    expect(playlist).toMatchObject({
      total_duration: 3,
      items: [{ duration: medium.duration }, { duration: 1 }],
    })
  })

  test.each([
    ['a text', 'just words', 'unsupported_type'],
    ['HTML', '<html><body><svg></svg></body></html>', 'unsupported_type'],
    ['HTML with a document type', '<!doctype html><p><svg></svg>', 'unsupported_type'],
    ['a script', '<script>1</script><svg >', 'unsupported_type'],
    ['XML', '<?xml version="1.0"?><note><svg></svg></note>', 'unsupported_type'],
    ['a root element with a similar name', '<svgx></svgx>', 'unsupported_type'],
    ['nothing', '', 'empty'],
    ['bytes without a signature', Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'), 'unsupported_type'],
    ['an incomplete signature', PIXEL.subarray(0, 7), 'unsupported_type'],
    ['an audio brand', HEADER('M4A '), 'unsupported_type'],
    ['a picture that players do not show', HEADER('avif'), 'unsupported_type'],
  ])('of %s is refused, and nothing of it remains', async (_what, content, code) => {
    const { upload, fresh } = await freshSignage()
    const before = fresh.dump()
    for (const type of ['image/svg+xml', 'text/html', 'application/xml', 'video/mp4']) {
      expect(await upload({ file: { filename: 'x', content, type } })).toMatchObject(invalid('file', code))
    }
    expect(fresh.dump()).toEqual(before)
  })

  test.each(['mp4', 'webm'] as const)('of only audio in %s returns a specific error', async (format) => {
    const { upload } = await freshSignage()
    const { status, text } = await upload({ file: { filename: 'x', content: await soundOf(format) } })
    expect(status).toBe(422)
    expect(text).toContain(`file must have a picture, but has only sound (video/${format})`)
  })

  test('of no bytes reports an empty file', async () => {
    const { upload } = await freshSignage()
    const { text } = await upload({ file: { filename: 'x.mp4', content: '', type: 'video/mp4' } })
    expect(text).toContain('"file is empty"')
  })

  test('of a video with the brand of iTunes is accepted as MP4', async () => {
    const { addMedia } = await freshSignage()
    const content = await videoOf('mp4', { seconds: 2, width: 320, height: 180 })
    content.write('M4V ', 8)
    expect(await addMedia({ file: { filename: 'x.m4v', content } })).toMatchObject({
      mime_type: 'video/mp4',
      width: 320,
    })
  })

  test.each([
    ['a video without an index', HEADER('isom'), 'video/mp4', 'video'],
    ['a video without an index, by its other brand', HEADER('M4V '), 'video/mp4', 'video'],
    ['a QuickTime placeholder', HEADER('qt  '), 'video/quicktime', 'video'],
    [
      'a WebM placeholder',
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      'video/webm',
      'video',
    ],
    ['half a picture', PIXEL.subarray(0, 20), 'image/png', 'image'],
    ['the signature of a picture', PIXEL.subarray(0, 8), 'image/png', 'image'],
    ['a truncated photograph', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg', 'image'],
    ['a truncated animation', Buffer.from('GIF89a'), 'image/gif', 'image'],
    ['a truncated drawing', Buffer.from('<svg width="1"'), 'image/svg+xml', 'image'],
  ])('of %s is accepted unchanged, with a hint', async (_what, content, mimeType, type) => {
    const { addMedia, ask, fresh } = await freshSignage()
    const medium = await addMedia({ file: { filename: 'x', content } })
    expect(medium).toMatchObject({
      type,
      mime_type: mimeType,
      file_size: content.length,
      duration: null,
      width: null,
      height: null,
      status: 'ready',
    })
    expect(await ask('GET', `/media/${medium.id}`)).toEqual(medium)
    expect(await hintsIn(fresh)).toEqual([
      expect.objectContaining({
        code: 'unreadable_media',
        message: expect.stringContaining(`is ${mimeType}, but the rest is truncated`),
      }),
    ])
  })

  test('of a complete file returns no such hint', async () => {
    const { addMedia, fresh } = await freshSignage()
    await addMedia({ file: { filename: 'pixel.png', content: PIXEL } })
    expect(await hintsIn(fresh)).toEqual([])
  })

  test('of a placeholder can be played: its item has no duration by default', async () => {
    const { addMedia, ask, fresh } = await freshSignage()
    const { id } = await addMedia({ file: { filename: 'x.mp4', content: HEADER('isom') } })
    const playlist = await ask<PlaylistBody>('POST', '/playlists', {
      name: 'Clips',
      items: [{ media_id: id }, { media_id: id, duration: 5 }],
    })
    expect(playlist).toMatchObject({ total_duration: 5, items: [{ duration: null }, { duration: 5 }] })
    expect(await hintsIn(fresh, 'unknown_duration')).toMatchObject([
      { message: expect.stringContaining('items.0 has no duration') as string },
    ])
  })

  test.each([
    ['tags=a,b', { tags: 'a,b' }, ['a', 'b']],
    ['several fields, one of them with two', { 'tags[]': ['a; b', ' c '] }, ['a', 'b', 'c']],
    ['spaces between commas', { tags: ' , a,, ' }, ['a']],
  ])('accepts %s as tags', async (_what, fields, tags) => {
    const { addMedia, ask } = await freshSignage()
    const medium = await addMedia(fields)
    expect(medium.tags).toEqual(tags)
    expect(await ask<PageBody<MediaBody>>('GET', '/media?tag=a')).toMatchObject({ data: [{ id: medium.id }] })
  })

  test('accepts at most 50 tags in one field', async () => {
    const { upload } = await freshSignage()
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${String(index)}`).join(',')
    expect((await upload({ file: drawing(), tags: tags(50) })).body.tags).toHaveLength(50)
    expect(await upload({ file: drawing(), tags: tags(51) })).toMatchObject(invalid('tags', 'too_many'))
  })

  test.each([
    ['no file', { name: 'x' }, 'file', 'required'],
    ['a text instead of a file', { file: 'x' }, 'file', 'invalid_type'],
    ['a tag of 51 characters', { file: drawing(), 'tags[]': ['x'.repeat(51)] }, 'tags.0', 'too_long'],
  ])('with %s is refused', async (_what, fields, field, code) => {
    const { upload } = await freshSignage()
    expect(await upload(fields as Parameters<typeof formOf>[0])).toMatchObject(invalid(field, code))
  })

  test('of the same bytes twice creates two media, which are deleted separately', async () => {
    const { addMedia, call, fresh } = await freshSignage()
    const [one, two] = [await addMedia(), await addMedia()]
    expect((await call('DELETE', `/media/${one.id}`)).status).toBe(204)
    const { pathname, search } = new URL(two.url)
    expect((await fresh.app.fastify.inject(pathname + search)).statusCode).toBe(200)
    const deletedUrl = new URL(one.url)
    expect((await fresh.app.fastify.inject(deletedUrl.pathname + deletedUrl.search)).statusCode).toBe(404)
  })
})

test('finds media by type, folder, name and tag', async () => {
  const { addMedia, ask } = await freshSignage()
  const one = await addMedia({ name: 'Ébano', folder_id: 'folder_a', 'tags[]': ['wood'] })
  const clip = { filename: 'clip.mp4', content: await videoOf('mp4', { seconds: 1, width: 16, height: 16 }) }
  const two = await addMedia({ file: clip })
  const found = async (query: string) =>
    (await ask<PageBody<MediaBody>>('GET', `/media?${query}`)).data.map(({ id }) => id)
  expect(await found('')).toEqual([two.id, one.id])
  expect(await found('type=video')).toEqual([two.id])
  expect(await found('folder_id=folder_a')).toEqual([one.id])
  expect(await found('search=eban')).toEqual([one.id])
  expect(await found('tag=wood')).toEqual([one.id])
  expect(await found('tag=woo')).toEqual([])
})

test('changes only the given fields in an update', async () => {
  const { addMedia, ask, setClock } = await freshSignage()
  const medium = await addMedia({ folder_id: 'folder_a', 'tags[]': ['a'] })
  setClock('2026-11-21T12:01:00.000Z')
  const updated = { ...medium, name: 'New', folder_id: null, updated_at: '2026-11-21T12:01:00.000Z' }
  expect(await ask('PATCH', `/media/${medium.id}`, { name: 'New', folder_id: null })).toEqual(updated)
  expect(await ask('PATCH', `/media/${medium.id}`, { tags: [] })).toEqual({ ...updated, tags: [] })
})

test('an update with the tags it has, some of them twice, changes nothing', async () => {
  const { addMedia, ask, setClock } = await freshSignage()
  const medium = await addMedia({ 'tags[]': ['a', 'b'] })
  setClock('2026-11-21T12:01:00.000Z')
  expect(await ask('PATCH', `/media/${medium.id}`, { tags: ['a', 'b', 'a'] })).toEqual(medium)
})

describe('medium in use', () => {
  test('cannot be deleted, and the error lists its uses', async () => {
    const { addMedia, addPlaylist, addLayout, call, fresh } = await freshSignage()
    const { id } = await addMedia()
    const playlist = await addPlaylist({ items: [{ media_id: id, duration: 1 }] })
    const layout = await addLayout({
      zones: [{ x: 0, y: 0, width: 9, height: 9, content_type: 'media', content_id: id }],
    })
    const before = fresh.dump()
    for (const query of ['', '?force=false']) {
      expect(await call('DELETE', `/media/${id}${query}`)).toMatchObject({
        status: 409,
        body: {
          error: {
            code: 'in_use',
            used_by: {
              playlists: [{ id: playlist.id, name: 'Welcome' }],
              layouts: [{ id: layout.id, name: 'Main' }],
            },
          },
        },
      })
    }
    expect(fresh.dump()).toEqual(before)
  })

  test('is removed from playlists and layouts by force, which updates their totals', async () => {
    const { addMedia, addPlaylist, addLayout, ask, call, events } = await freshSignage()
    const [deleted, remaining] = [await addMedia(), await addMedia({ name: 'Kept' })]
    const [a, b] = [
      { media_id: deleted.id, duration: 1 },
      { media_id: remaining.id, duration: 10 },
    ]
    const playlist = await addPlaylist({ items: [a, b, a, b] })
    const zone = { x: 0, y: 0, width: 9, height: 9, content_type: 'media' }
    const layout = await addLayout({
      zones: [
        { ...zone, content_id: deleted.id },
        { ...zone, content_id: remaining.id },
      ],
    })
    expect((await call('DELETE', `/media/${deleted.id}?force=true`)).status).toBe(204)
    const after = await ask<PlaylistBody>('GET', `/playlists/${playlist.id}`)
    expect(after).toMatchObject({ total_duration: 20 })
    expect(after.items.map(({ position, media_id }) => [position, media_id])).toEqual([
      [1, remaining.id],
      [2, remaining.id],
    ])
    const { zones } = await ask<LayoutBody>('GET', `/layouts/${layout.id}`)
    expect(zones.map(({ content_id }) => content_id)).toEqual([null, remaining.id])
    expect(events().slice(-3)).toEqual(['playlist.updated', 'layout.updated', 'media.deleted'])
    expect((await call('GET', `/media/${deleted.id}`)).status).toBe(404)
  })
})

test('refuses a file that arrives while the workspace is reset, and keeps nothing of it', async () => {
  const { fresh, upload } = await freshSignage()
  const before = fresh.dump()
  const [answer] = await Promise.all([
    upload({ file: drawing() }),
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`),
  ])
  if (answer.status === 201) return
  expect(answer).toMatchObject({ status: 409 })
  expect(fresh.dump()).toEqual(before)
})

test('has media with their files in the demo', async () => {
  const { at } = await freshApp({ fixtures: 'demo' })
  const { body } = await at<PageBody<MediaBody>>('signage')('GET', '/media', { key: 'demo-key' })
  expect(body.data.length).toBeGreaterThan(3)
})
