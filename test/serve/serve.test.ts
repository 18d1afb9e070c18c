/** The first lines of output for a user at a terminal. */
import { expect, test } from 'vitest'
import { welcome } from '../../src/serve/serve.ts'
import { VERSION } from '@suite-sim/kit/version'

const url = 'http://127.0.0.1:4012'

test('prints the URL, the demo key, the dashboard and the docs first', () => {
  expect(welcome({ demoKey: 'demo-key' }, { db: 'data/suite.sqlite' }, url).split('\n')).toEqual([
    `Suite Simulator ${VERSION}`,
    `  URL        ${url}`,
    '  Key        demo-key',
    `  Dashboard  ${url}/_sim/`,
    `  Guide      ${url}/_sim/guide/`,
    `  Docs       ${url}/_sim/docs`,
    '  Data       data/suite.sqlite',
    '  Next       npx suite-sim listen --print',
    'Press Ctrl+C to stop.',
    '',
  ])
})

test('prints no key without a demo workspace, and a note without a file', () => {
  const words = welcome({ demoKey: null }, { db: ':memory:' }, url)
  expect(words).not.toContain('Key')
  expect(words).toContain('  Data       in memory; deleted when the server stops\n')
})

test('says what the files of --init did', () => {
  const words = welcome({ demoKey: null }, { db: ':memory:' }, url, { init: '1 file: 2 triggers' })
  expect(words).toContain('  Init       1 file: 2 triggers\n')
})

test('says how to trust a self-signed certificate, in the next command as well', () => {
  const advice = ['  TLS        self-signed, a.pem']
  const words = welcome({ demoKey: null }, { db: 'a' }, url, { advice, trust: 'NODE_EXTRA_CA_CERTS=a.pem ' })
  expect(words).toContain('  TLS        self-signed, a.pem\n')
  expect(words).toContain('  Next       NODE_EXTRA_CA_CERTS=a.pem npx suite-sim listen --print\n')
})

test('names the URL in the next command if the command would look elsewhere', () => {
  expect(welcome({ demoKey: null }, { db: ':memory:' }, 'http://127.0.0.1:4711')).toContain(
    '  Next       npx suite-sim listen --print --url http://127.0.0.1:4711\n',
  )
})
