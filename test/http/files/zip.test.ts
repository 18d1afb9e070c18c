/** Archives that must be refused: damaged ones, and ones that would fill the memory. */
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openArchive, ZipProblem } from '../../../src/http/files/zip.ts'
import { zip, type ZippedText } from '../../support/xlsx.ts'

const LIMITS = { unpacked: 1000, files: 3 }

/** The error code of the archive or of one of its files; null if all of it can be unpacked. */
async function errorCodeOf(bytes: Buffer): Promise<string | null> {
  let size = 0
  try {
    const archive = await openArchive(bytes, LIMITS)
    for (const path of archive.paths) for await (const piece of archive.file(path) ?? []) size += piece.length
    archive.close()
    expect(size).toBeLessThanOrEqual(LIMITS.unpacked)
    return null
  } catch (error) {
    if (error instanceof ZipProblem) return error.code
    throw error
  }
}

const packed = (text: string, says = text.length): ZippedText => ({ text, deflated: true, says })

test('returns the files of an archive unchanged', async () => {
  const archive = await openArchive(zip({ a: 'abc', b: packed('x'.repeat(500)) }), LIMITS)
  const content = async (path: string): Promise<string | null> => {
    const pieces = archive.file(path)
    if (!pieces) return null
    const read: Buffer[] = []
    for await (const piece of pieces) read.push(piece)
    return Buffer.concat(read).toString()
  }
  expect(archive.paths).toEqual(['a', 'b'])
  expect([await content('a'), await content('b'), await content('c')]).toEqual(['abc', 'x'.repeat(500), null])
})

describe('unpacked size', () => {
  test.each([
    ['stored', (bytes: number) => ({ a: 'x'.repeat(bytes - 400), b: 'x'.repeat(400) })],
    ['packed', (bytes: number) => ({ a: packed('x'.repeat(bytes - 400)), b: packed('x'.repeat(400)) })],
  ])('may reach the limit and no more, with all files %s', async (_how, files) => {
    expect(await errorCodeOf(zip(files(1000)))).toBe(null)
    expect(await errorCodeOf(zip(files(1001)))).toBe('too_large')
  })

  test('must equal the declared size', async () => {
    const text = 'x'.repeat(900)
    expect(await errorCodeOf(zip({ a: packed(text) }))).toBe(null)
    expect(await errorCodeOf(zip({ a: packed(text, 899) }))).toBe('malformed')
    expect(await errorCodeOf(zip({ a: packed(text, 901) }))).toBe('malformed')
    expect(await errorCodeOf(zip({ a: packed('x'.repeat(50_000_000), 900) }))).toBe('malformed')
  })
})

test('limits the number of files in an archive', async () => {
  expect(await errorCodeOf(zip({ a: '', b: '', c: '' }))).toBe(null)
  expect(await errorCodeOf(zip({ a: '', b: '', c: '', d: '' }))).toBe('too_large')
})

describe('an archive is invalid', () => {
  const whole = zip({ a: 'abc', b: packed('x'.repeat(500)) })
  const directory = whole.indexOf('PK\u0001\u0002', 0, 'latin1')
  const changed = (at: number, byte: number): Buffer => {
    const copy = Buffer.from(whole)
    copy[at] = byte
    return copy
  }

  test('if a byte is missing at its end, and valid with all of them', async () => {
    expect(await errorCodeOf(whole)).toBe(null)
    expect(await errorCodeOf(whole.subarray(0, -1))).toBe('malformed')
    expect(await errorCodeOf(Buffer.alloc(0))).toBe('malformed')
  })

  test.each([
    ['the mark of an entry', directory, 0],
    ['the compression method of a file', directory + 10, 12],
    ['the offset of a file', directory + 44, 9],
    ['the mark of a file', 0, 0],
    ['the size of a stored file', directory + 24, 9],
    ['the bytes of a compressed file', whole.indexOf(deflateRawSync('x'.repeat(500))), 255],
    ['the offset of the directory', whole.length - 4, 99],
  ])('if %s is wrong', async (_what, at, byte) => {
    expect(await errorCodeOf(changed(at, byte))).toBe('malformed')
  })

  test('if two files have the same name', async () => {
    const twice = zip({ a: 'abc', b: 'abc' })
    twice.write('a', twice.lastIndexOf('b'), 'latin1')
    expect(await errorCodeOf(twice)).toBe('malformed')
  })

  test('if a file in it is encrypted', async () => {
    expect(await errorCodeOf(changed(directory + 8, 1))).toBe('malformed')
  })
})
