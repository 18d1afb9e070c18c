import { describe, expect, test } from 'vitest'
import { fileLink } from '../../../src/http/files/fileLinks.ts'
import { removeFile, storeFiles, type StoredFile } from '../../../src/state/shared/storedFiles.ts'
import { freshApp, type FreshApp } from '../../support/app.ts'

const NOON = '2026-11-21T12:00:00.000Z'

async function withFile(
  content = 'abcdefghij',
  { name = 'letters.txt', contentType = 'text/plain' } = {},
): Promise<FreshApp & { file: StoredFile; link: string }> {
  const fresh = await freshApp()
  fresh.setClock(NOON)
  const [file] = await storeFiles(
    fresh.workspace,
    [{ name, contentType, source: Buffer.from(content) }],
    (files) => files,
  )
  if (!file) throw new Error('nothing was stored')
  return { ...fresh, file, link: pathOf(fileLink(fresh.workspace, file).url) }
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A download is not an operation of an interface and needs no key. */
const load = (
  { app }: FreshApp,
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => app.fastify.inject({ method, url, headers })

describe('download link', () => {
  test('returns the file with its content type and without a key', async () => {
    const fresh = await withFile()
    const answer = await load(fresh, fresh.link)
    expect(answer.statusCode).toBe(200)
    expect(answer.payload).toBe('abcdefghij')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'content-disposition': `inline; filename="letters.txt"; filename*=UTF-8''letters.txt`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    })
    const head = await load(fresh, fresh.link, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, '10', ''])
  })

  test.each([
    ['bytes=0-0', 206, 'a', 'bytes 0-0/10'],
    ['bytes=3-5', 206, 'def', 'bytes 3-5/10'],
    ['bytes=8-', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=-2', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
  ])('responds to %s with that range', async (range, status, content, contentRange) => {
    const fresh = await withFile()
    const answer = await load(fresh, fresh.link, { range })
    expect([answer.statusCode, answer.payload, answer.headers['content-range']]).toEqual([
      status,
      content,
      contentRange,
    ])
  })

  test('refuses a range after the end', async () => {
    const fresh = await withFile()
    const answer = await load(fresh, fresh.link, { range: 'bytes=10-' })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  test('returns 304 if the client already has the file', async () => {
    const fresh = await withFile()
    const { headers } = await load(fresh, fresh.link)
    const again = await load(fresh, fresh.link, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })

  test.each([
    ['text/html', 'page.html', 'attachment'],
    ['image/svg+xml', 'logo.svg', 'attachment'],
    ['application/xml', 'invoice.xml', 'attachment'],
    ['application/octet-stream', 'data', 'attachment'],
    ['image/png', 'picture.png', 'inline'],
    ['video/mp4', 'clip.mp4', 'inline'],
    ['application/pdf', 'cv.pdf', 'inline'],
  ])('prevents the browser from running %s', async (contentType, name, disposition) => {
    const fresh = await withFile('<script>alert(1)</script>', { name, contentType })
    const { headers } = await load(fresh, fresh.link)
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition}; `))
    expect(headers['content-type']).toMatch(contentType)
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  })

  test('names the file, with any file name', async () => {
    const fresh = await withFile('x', { name: 'Año "2026"/\r\n ✓.txt' })
    const answer = await load(fresh, fresh.link)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(
      `inline; filename="A_o _2026____ _.txt"; filename*=UTF-8''A%C3%B1o%20%222026%22%2F%0D%0A%20%E2%9C%93.txt`,
    )
  })

  test('stays the same for an hour, and expires after another', async () => {
    const fresh = await withFile()
    const { url, until } = fileLink(fresh.workspace, fresh.file)
    expect(new Date(until).toISOString()).toBe('2026-11-21T13:00:00.000Z')
    fresh.setClock('2026-11-21T12:59:59.999Z')
    expect(fileLink(fresh.workspace, fresh.file).url).toBe(url)
    fresh.setClock('2026-11-21T13:59:59.999Z')
    expect((await load(fresh, fresh.link)).statusCode).toBe(200)
    fresh.setClock('2026-11-21T14:00:00.000Z')
    const late = await load(fresh, fresh.link)
    expect([late.statusCode, late.json()]).toEqual([
      403,
      {
        error: {
          code: 'forbidden',
          message: 'The link has expired. Fetch the record of the file again for a new link.',
        },
      },
    ])
  })

  test('opens no other file', async () => {
    const fresh = await withFile()
    const other = await withFile('somebody else')
    const [path = '', query = ''] = fresh.link.split('?')
    const foreign = [
      path,
      `${path}?${query.replace('expires=1', 'expires=2')}`,
      `${path}?${query.replace(/signature=(.)/, (_all, first) => `signature=${first === 'A' ? 'B' : 'A'}`)}`,
      `${path}?${query}&expires=9999999999`,
      `${path}?expires=Infinity&signature=x`,
      `${other.link.split('?')[0] ?? ''}?${query}`,
      path.replace(fresh.workspace.id, 'nowhere') + `?${query}`,
    ]
    for (const url of foreign) expect([url, (await load(fresh, url)).statusCode]).toEqual([url, 403])
    expect((await load(fresh, '/files')).statusCode).toBe(404)
    expect((await load(fresh, '/files/..%2f..%2fetc/passwd/x')).statusCode).toBe(403)
    expect((await fresh.app.fastify.inject({ method: 'POST', url: fresh.link })).statusCode).toBe(404)
  })

  test('returns 404 for a deleted file', async () => {
    const fresh = await withFile()
    fresh.workspace.write(() => {
      removeFile(fresh.workspace, fresh.file.id)
    })
    expect((await load(fresh, fresh.link)).statusCode).toBe(404)
  })
})
