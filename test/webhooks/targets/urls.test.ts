import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../../src/state/text/hosts.ts'
import { originOf } from '../../../src/webhooks/targets/urls.ts'
import { urlProblem } from '@suite-sim/kit/webhooks/urlProblem'

describe('webhook URL', () => {
  test.each([
    ['https://receiver.example.com/pos', 'HTTPS'],
    ['HTTPS://receiver.example.com', 'HTTPS, however it is written'],
    ['https://receiver.example.com:8443/pos?a=1#b', 'HTTPS at another port, with a query'],
    ['http://localhost:3000/hook', 'this machine'],
    ['http://LOCALHOST/hook', 'this machine, in capitals'],
    ['http://app.localhost/hook', 'a name below localhost'],
    ['http://127.0.0.1:3000', 'the usual loopback address'],
    ['http://127.255.255.254', 'the far end of the loopback network'],
    ['http://2130706433/', 'the loopback address as one number'],
    ['http://[::1]:3000/', 'the loopback address of version 6'],
    ['http://receiver.example.com/', 'plain http, as far as the URL itself goes'],
    [`https://receiver.example.com/${'a'.repeat(2019)}`, '2,048 characters'],
    ['https://receiver.example.com/?a=@', 'an @ beyond the host'],
  ])('may be %s: %s', (url) => {
    expect(urlProblem(url)).toBeNull()
  })

  test.each([
    ['ftp://receiver.example.com/', 'another protocol', /must be an HTTPS URL/],
    ['javascript:alert(1)', 'no address at all', /must be an HTTPS URL/],
    ['receiver.example.com/pos', 'without a protocol', /absolute URL/],
    ['/pos', 'a path', /absolute URL/],
    ['', 'nothing', /absolute URL/],
    ['https://user:pass@receiver.example.com/', 'credentials', /credentials/],
    ['https://user@receiver.example.com/', 'a user', /credentials/],
    ['https://@receiver.example.com/', 'an empty user', /credentials/],
    ['https://:@receiver.example.com/', 'an empty user and password', /credentials/],
    [' https://receiver.example.com/', 'a blank before it', /spaces/],
    ['https://receiver.example.com/ ', 'a blank behind it', /spaces/],
    ['https://receiver.example.com/a b', 'a blank within', /spaces/],
    ['https://receiver.example.com/\r\nX: y', 'a line break', /control/],
    ['ht\ttps://receiver.example.com/', 'a tab', /control/],
    ['https://receiver.example.com/\0', 'a NUL', /control/],
    ['https:\\\\receiver.example.com\\a', 'backslashes', /backslashes/],
    ['https:/receiver.example.com/', 'one slash', /absolute URL/],
    ['https:receiver.example.com', 'no slash', /absolute URL/],
    ['https:///receiver.example.com', 'three slashes', /absolute URL/],
    ['https://receiver.example.com:0/', 'port 0', /port 0/],
    [`https://receiver.example.com/${'a'.repeat(2020)}`, 'a character too many', /longer than 2048/],
    [`https://receiver.example.com/${'a'.repeat(70_000)}`, '70 KB', /longer than 2048/],
  ])('may not be %j: %s', (url, _what, problem) => {
    expect(urlProblem(url)).toMatch(problem)
  })
})

test('matches a host of this machine only as a whole', () => {
  expect(isLoopback('localhost')).toBe(true)
  expect(isLoopback('127.0.0.1.example.com')).toBe(false)
  expect(isLoopback('localhost.example.com')).toBe(false)
})

test('treats scheme, host and port as the origin', () => {
  expect(originOf('https://Receiver.example.com:443/a?b')).toBe('https://receiver.example.com')
  expect(originOf('http://localhost:3000/a')).toBe('http://localhost:3000')
})
