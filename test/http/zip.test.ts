/** Archives that must not be unpacked: damaged ones, and ones that would fill the memory. */
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mustUnpackWithin, ZipProblem } from '../../src/http/zip.ts'
import { zip, type ZippedText } from '../support/xlsx.ts'

const LIMITS = { unpacked: 1000, files: 3 }

/** The code of what is wrong with it; null when it may be unpacked. */
async function judged(bytes: Buffer): Promise<string | null> {
  try {
    await mustUnpackWithin(bytes, LIMITS)
    return null
  } catch (error) {
    if (error instanceof ZipProblem) return error.code
    throw error
  }
}

const packed = (text: string, says = text.length): ZippedText => ({ text, deflated: true, says })

describe('what an archive unpacks to', () => {
  test.each([
    ['stored', (bytes: number) => ({ a: 'x'.repeat(bytes - 400), b: 'x'.repeat(400) })],
    ['packed', (bytes: number) => ({ a: packed('x'.repeat(bytes - 400)), b: packed('x'.repeat(400)) })],
  ])('may reach the limit and no more, with all files %s', async (_how, files) => {
    expect(await judged(zip(files(1000)))).toBe(null)
    expect(await judged(zip(files(1001)))).toBe('too_large')
  })

  test('is not believed to be less than it is, nor more', async () => {
    const text = 'x'.repeat(900)
    expect(await judged(zip({ a: packed(text) }))).toBe(null)
    expect(await judged(zip({ a: packed(text, 899) }))).toBe('malformed')
    expect(await judged(zip({ a: packed(text, 901) }))).toBe('malformed')
    expect(await judged(zip({ a: packed('x'.repeat(50_000_000), 900) }))).toBe('malformed')
  })

  test('counts each file that shares its bytes with others', async () => {
    const shared = zip({ a: 'x'.repeat(300), b: 'x'.repeat(300) })
    const second = shared.lastIndexOf('PK\u0001\u0002', undefined, 'latin1')
    shared.writeUInt32LE(0, second + 42)
    expect(await judged(shared)).toBe(null)
    const thrice = zip({ a: 'x'.repeat(300), b: '', c: '' })
    for (let at = 0; (at = thrice.indexOf('PK\u0001\u0002', at, 'latin1')) >= 0; at++) {
      thrice.writeUInt32LE(300, at + 20)
      thrice.writeUInt32LE(300, at + 24)
      thrice.writeUInt32LE(0, at + 42)
    }
    expect(await judged(thrice)).toBe('malformed')
  })
})

test('an archive may hold so many files and no more', async () => {
  expect(await judged(zip({ a: '', b: '', c: '' }))).toBe(null)
  expect(await judged(zip({ a: '', b: '', c: '', d: '' }))).toBe('too_large')
})

describe('an archive is no well-formed one', () => {
  const whole = zip({ a: 'abc', b: packed('x'.repeat(500)) })
  const directory = whole.indexOf('PK\u0001\u0002', 0, 'latin1')
  const changed = (at: number, byte: number): Buffer => {
    const copy = Buffer.from(whole)
    copy[at] = byte
    return copy
  }

  test('when a byte is missing at its end, and is one with all of them', async () => {
    expect(await judged(whole)).toBe(null)
    expect(await judged(whole.subarray(0, -1))).toBe('malformed')
    expect(await judged(Buffer.alloc(0))).toBe('malformed')
  })

  test.each([
    ['the mark of an entry', directory, 0],
    ['the way a file is packed', directory + 10, 12],
    ['the place of a file', directory + 44, 9],
    ['the mark of a file', 0, 0],
    ['the size of a stored file', directory + 24, 9],
    ['the bytes of a packed file', whole.indexOf(deflateRawSync('x'.repeat(500))), 255],
    ['the place of the directory', whole.length - 4, 99],
  ])('when %s is wrong', async (_what, at, byte) => {
    expect(await judged(changed(at, byte))).toBe('malformed')
  })

  test('when it is a ZIP64 archive', async () => {
    const end = whole.length - 22
    const locator = Buffer.alloc(20)
    locator.write('PK\u0006\u0007', 0, 'latin1')
    const wide = Buffer.concat([whole.subarray(0, end), locator, whole.subarray(end)])
    expect(await judged(wide)).toBe('malformed')
  })

  test('when it has one size for those who know ZIP64, and another for all others', async () => {
    const name = directory + 46
    const widths = Buffer.from([1, 0, 8, 0, 3, 0, 0, 0, 0, 0, 0, 0])
    const wide = Buffer.concat([whole.subarray(0, name + 1), widths, whole.subarray(name + 1)])
    wide.writeUInt16LE(widths.length, directory + 30)
    expect(await judged(wide)).toBe('malformed')
  })

  test('when it counts its files in two ways', async () => {
    expect(await judged(changed(whole.length - 14, 1))).toBe('malformed')
    expect(await judged(changed(whole.length - 12, 1))).toBe('malformed')
  })

  test('when a file in it is encrypted', async () => {
    expect(await judged(changed(directory + 8, 1))).toBe('malformed')
  })
})
