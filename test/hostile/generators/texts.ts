/** Texts that break programs by their meaning to an interpreter, their length, or their characters. */
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'

/** Syntax that ends one language and begins another. */
export const METACHARACTERS: readonly string[] = [
  "'",
  '"',
  "' OR 1=1--",
  "'; DROP TABLE workspaces;--",
  '") UNION SELECT NULL,NULL--',
  '%',
  '_%_%',
  '[a-z]*',
  '\\',
  '\\\\" \\n',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{constructor.constructor("return process")()}}',
  '{{7*7}} ${7*7} #{7*7} <%= 7*7 %>',
  '${jndi:ldap://host.invalid/a}',
  '`id` $(id) ;id |id &id',
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '....//....//etc/passwd',
  'file:///etc/passwd',
  'C:\\Windows\\win.ini',
  '\r\nSet-Cookie: a=b',
  '%0d%0aSet-Cookie:%20a=b',
  '(a+)+$',
  '((a*)*)*b',
  '^(?=.*(.*)*$)',
  '=1+1',
  '@SUM(A1:A9)',
  '-2+3',
  '*',
  '**',
  'a AND NOT (b OR c*) NEAR',
  '"unclosed',
  'a:b:c',
  '\u0000',
  'a\u0000b',
]

/** Characters that are not what they seem. */
export const CHARACTERS: readonly string[] = [
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u200b',
  '\u202eevil',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\ud800',
  'a\udfffb',
  '\u0085',
  '\u001b[31m',
  '\u007f',
  '\ud83d\ude00',
  '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66',
  'e\u0301',
  '\u00e9',
  '\u0130',
  '\u00df',
  '\ufb03',
  '\u0e01\u0e33\u0e49',
  'a' + '\u0301'.repeat(500),
  '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  '\u{1f1e6}'.repeat(40),
]

/** Names that every object inherits. */
export const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'constructor.prototype.polluted',
  '__proto__.polluted',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'toJSON',
  'length',
]

/** Almost a date, an address or a number. */
const NEARLY: readonly string[] = [
  '0000-00-00',
  '0000-01-01',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2026-02-29',
  '2024-02-29',
  '2026-13-01',
  '2026-12-31T23:59:60Z',
  '2026-12-31T24:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00-23:59',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-12:00',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  'PT1H',
  'P999999999999D',
  'P1Y2M3DT4H5M6S',
  'PT0S',
  '-P1D',
  'PT1e9H',
  'a@b',
  '(a@b.c)',
  'a@b.c',
  '"a b"@example.test',
  'a@[127.0.0.1]',
  'a@b..c',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.test`,
  `a@${'b.'.repeat(120)}test`,
  'http://127.0.0.1:1/',
  'https://127.0.0.1:1/hook',
  ' https://host.invalid/',
  'http:/host.invalid',
  'https://user:password@host.invalid/',
  'https://host.invalid/\r\nX: y',
  'https://[::1]:1/',
  'https://[::ffff:7f00:1]:1/',
  'https://0x7f.1:1/',
  'https://2130706433:1/',
  'https://192.0.2.1.invalid/',
  'https://host.invalid:99999/',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://host.invalid/',
  '//host.invalid/',
  '1e309',
  '-0',
  '1e-400',
  '0x10',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '\u0661\u0662\u0663',
  '9007199254740993',
  '99999999999999999999999999999999999999.99',
  'true',
  'null',
  'undefined',
  '[object Object]',
  'XXX',
  'usd',
  '4111111111111111',
]

const PUMPED: readonly string[] = [
  ' ',
  '\t',
  '0',
  '1',
  'a',
  'A',
  '.',
  '-',
  '1,',
  '1.',
  'a.',
  'a@',
  'a,',
  '0-',
  '(',
  '<',
  '{{',
  '{{a}}',
  '%20',
  '\n',
  ' \n',
  '/',
  '//',
  'A1',
  '\\',
  '&amp;',
  'é',
]

/** Numbers of repetitions. Quadratic algorithms then take seconds. */
const REPEATED = [100, 2000, 20_000, 100_000] as const

/** Suffixes that make a pattern fail after the repetition. */
const STOPS = ['', '!', '\n', 'x', '\u0000', ' '] as const

/** A repeated text with a non-matching prefix and suffix. */
function pumpedOf(unit: Arbitrary<string>, longest: number): Arbitrary<string> {
  return fc
    .tuple(unit, fc.constantFrom(...REPEATED), fc.constantFrom(...STOPS), fc.constantFrom(...STOPS))
    .map(([text, times, before, after]) => {
      const count = Math.min(times, Math.floor(longest / Math.max(1, text.length)))
      return before + text.repeat(count) + after
    })
}

const matchers = new Map<string, Arbitrary<string>>()

/** Texts that match the pattern, if the generator supports its syntax. */
export function matching(pattern: string): Arbitrary<string> {
  let found = matchers.get(pattern)
  if (!found) {
    try {
      found = fc.stringMatching(new RegExp(pattern), { size: 'small' })
      fc.sample(found, { numRuns: 1, seed: 1 })
    } catch {
      found = fc.constantFrom(...PUMPED)
    }
    matchers.set(pattern, found)
  }
  return found
}

/** Texts that make patterns backtrack: matches of each pattern, and common ones. */
export const pumped = (patterns: readonly string[], longest: number): Arbitrary<string> =>
  fc.oneof(
    pumpedOf(fc.constantFrom(...PUMPED), longest),
    ...(patterns.length > 0 ? [pumpedOf(fc.constantFrom(...patterns).chain(matching), longest)] : []),
  )

// Created once, because creation takes longer than a draw.
const ANY_CHARACTERS = fc.string({ unit: 'binary', maxLength: 40 })
const ANY_LETTERS = fc.string({ unit: 'grapheme', maxLength: 40 })

/** Any hostile text of up to `longest` characters. */
export const texts = (
  prey: AttackedWorkspace,
  patterns: readonly string[],
  longest: number,
): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...METACHARACTERS),
    fc.constantFrom(...CHARACTERS),
    fc.constantFrom(...PROTOTYPE_NAMES),
    fc.constantFrom(...NEARLY),
    fc.constantFrom(...prey.foreignIds, prey.id, prey.key),
    ANY_CHARACTERS,
    ANY_LETTERS,
    pumped(patterns, longest),
  )
