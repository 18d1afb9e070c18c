import { describe, expect, test } from 'vitest'
import { isLoopback, originOf, urlProblem } from '../../src/webhooks/urls.ts'

describe('a url that webhooks are sent to', () => {
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
  ])('may be %s: %s', (url) => {
    expect(urlProblem(url)).toBeNull()
  })

  test.each([
    [
      'http://receiver.example.com/pos',
      'plain http',
      /plain http is for loopback hosts.*receiver\.example\.com/,
    ],
    ['http://localhost.example.com/', 'a name that begins with localhost', /plain http/],
    ['http://notlocalhost/', 'a name that ends in localhost', /plain http/],
    ['http://128.0.0.1/', 'just outside the loopback network', /plain http/],
    ['http://[::2]/', 'just beside the loopback address', /plain http/],
    ['http://0.0.0.0/', 'no address of a receiver', /plain http/],
    ['ftp://receiver.example.com/', 'another protocol', /must be an HTTPS URL/],
    ['javascript:alert(1)', 'no address at all', /must be an HTTPS URL/],
    ['receiver.example.com/pos', 'without a protocol', /absolute URL/],
    ['/pos', 'a path', /absolute URL/],
    ['', 'nothing', /absolute URL/],
    ['https://user:pass@receiver.example.com/', 'credentials', /credentials/],
    ['https://user@receiver.example.com/', 'a user', /credentials/],
  ])('may not be %j: %s', (url, _what, problem) => {
    expect(urlProblem(url)).toMatch(problem)
  })

  test('may be plain http for a host that is named, at any port, and for no other', () => {
    const named = ['receiver', 'Hooks.Example.com']
    expect(urlProblem('http://receiver:8080/x', named)).toBeNull()
    expect(urlProblem('http://hooks.example.com/x', named)).toBeNull()
    expect(urlProblem('http://other/x', named)).toMatch(/plain http/)
    expect(urlProblem('http://sub.receiver/x', named)).toMatch(/plain http/)
  })

  test('may be plain http for every host when all are named', () => {
    expect(urlProblem('http://anything.example.com/x', ['*'])).toBeNull()
    expect(urlProblem('ftp://anything.example.com/x', ['*'])).toMatch(/HTTPS/)
    expect(urlProblem('http://a:b@anything.example.com/x', ['*'])).toMatch(/credentials/)
  })
})

test('a host is this machine only as a whole', () => {
  expect(isLoopback('localhost')).toBe(true)
  expect(isLoopback('127.0.0.1.example.com')).toBe(false)
  expect(isLoopback('localhost.example.com')).toBe(false)
})

test('an origin is scheme, host and port', () => {
  expect(originOf('https://Receiver.example.com:443/a?b')).toBe('https://receiver.example.com')
  expect(originOf('http://localhost:3000/a')).toBe('http://localhost:3000')
})
