/** E-mail addresses in all spellings. */
import { expect, test } from 'vitest'
import { emailKey, isEmailAddress, withoutInvisible } from '../../../src/state/text/emailAddresses.ts'

const INVISIBLE = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202e, 0x202f, 0x2060, 0x2066, 0x2069, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0x00a0, 0x0085],
  ...[0x0001, 0x0009, 0x000a, 0x007f],
]

test.each(INVISIBLE.map((code) => [code.toString(16), String.fromCharCode(code)]))(
  'U+%s is invisible in every part of an address',
  (_code, character) => {
    for (const address of [
      `a${character}b@example.com`,
      `"a${character}b"@example.com`,
      `ab@exam${character}ple.com`,
    ]) {
      expect(isEmailAddress(address)).toBe(false)
      expect(isEmailAddress(withoutInvisible(address))).toBe(true)
    }
  },
)

test.each([
  'ana@example.com',
  'josé@example.com',
  'jose\u0301@example.com',
  '"a b"@example.com',
  '用户@例子.广告',
])('%s is visible', (address) => {
  expect([isEmailAddress(address), withoutInvisible(address)]).toEqual([true, address])
})

test('the key is the same in any case, composed and decomposed', () => {
  expect(
    new Set(['JOSÉ@Example.com', 'jose\u0301@example.com', 'JOSE\u0301@example.com'].map(emailKey)).size,
  ).toBe(1)
  expect(emailKey('jose@example.com')).not.toBe(emailKey('josé@example.com'))
})
