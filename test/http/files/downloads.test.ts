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
    expect([answer.statusCode, answer.headers['content-range'], answer.payload]).toEqual([
      416,
      'bytes */10',
      '',
    ])
  })

  test('has a strong tag of its content', async () => {
    const [one, same, other] = [await withFile(), await withFile(), await withFile('abcdefghiJ')]
    const tagOf = async (fresh: typeof one) => (await load(fresh, fresh.link)).headers.etag
    const tag = await tagOf(one)
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(await tagOf(same)).toBe(tag)
    expect(await tagOf(other)).not.toBe(tag)
  })

  test.each([
    ['TAG', 304],
    ['W/TAG', 304],
    ['"x", W/TAG', 304],
    ['"a,b" , TAG,"c"', 304],
    ['*', 304],
    ['"x"', 200],
    ['W/"x"', 200],
    ['W/*', 200],
    ['w/"', 200],
    ['"x*"', 200],
    ['', 200],
  ])('with If-None-Match: %s returns %d', async (sent, status) => {
    const fresh = await withFile()
    const tag = String((await load(fresh, fresh.link)).headers.etag)
    // A condition on the tag comes before one on the time.
    const later = 'Thu, 01 Jan 2099 00:00:00 GMT'
    const headers = { 'if-none-match': sent.replace('TAG', tag), 'if-modified-since': later }
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await load(fresh, fresh.link, headers, method)
      expect([answer.statusCode, answer.headers.etag]).toEqual([status, tag])
      if (status === 304) expect(answer.payload).toBe('')
    }
  })

  test.each([
    ['TAG', 200],
    ['"x", TAG', 200],
    ['*', 200],
    ['W/TAG', 412],
    ['"x"', 412],
  ])('with If-Match: %s returns %d', async (sent, status) => {
    const fresh = await withFile()
    const tag = String((await load(fresh, fresh.link)).headers.etag)
    const headers = {
      'if-match': sent.replace('TAG', tag),
      'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT',
    }
    const answer = await load(fresh, fresh.link, headers)
    expect([answer.statusCode, answer.payload]).toEqual([status, status === 200 ? 'abcdefghij' : ''])
  })

  test.each([
    ['TAG', 206],
    ['W/TAG', 200],
    ['"x"', 200],
    ['"x", TAG', 200],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 200],
    ['nonsense', 200],
  ])('with If-Range: %s returns %d', async (sent, status) => {
    const fresh = await withFile()
    const tag = String((await load(fresh, fresh.link)).headers.etag)
    const range = { range: 'bytes=3-5', 'if-range': sent.replace('TAG', tag) }
    const answer = await load(fresh, fresh.link, range)
    expect([answer.statusCode, answer.payload]).toEqual([status, status === 206 ? 'def' : 'abcdefghij'])
    expect((await load(fresh, fresh.link, range, 'HEAD')).statusCode).toBe(200)
  })

  test('with the time of the file as a condition returns the range, 304 or 412', async () => {
    const fresh = await withFile()
    const { 'last-modified': modified } = (await load(fresh, fresh.link)).headers
    const statusOf = async (headers: Record<string, string>) =>
      (await load(fresh, fresh.link, headers)).statusCode
    expect(await statusOf({ range: 'bytes=3-5', 'if-range': String(modified) })).toBe(206)
    expect(await statusOf({ 'if-modified-since': String(modified) })).toBe(304)
    expect(await statusOf({ 'if-unmodified-since': String(modified) })).toBe(200)
    expect(await statusOf({ 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' })).toBe(412)
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
