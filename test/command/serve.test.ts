/** What a person at a terminal is told first. */
import { expect, test } from 'vitest'
import { welcome } from '../../src/command/serve.ts'
import { VERSION } from '../../src/version.ts'

const url = 'http://127.0.0.1:4012'

test('the first line gives the URLs and the demo key', () => {
  const [first] = welcome({ demoKey: 'demo-key' }, { db: 'data/suite.sqlite' }, url).split('\n')
  expect(first).toBe(`Suite Simulator ${VERSION} at ${url}, demo key demo-key, control plane at ${url}/_sim`)
})

test('without a demo workspace no key is named', () => {
  const [first] = welcome({ demoKey: null }, { db: 'data/suite.sqlite' }, url).split('\n')
  expect(first).toBe(`Suite Simulator ${VERSION} at ${url}, control plane at ${url}/_sim`)
})

test('the second says where the data is, or that none is kept', () => {
  const second = (db: string): string | undefined => welcome({ demoKey: null }, { db }, url).split('\n')[1]
  expect(second('data/suite.sqlite')).toBe('Data in data/suite.sqlite. Ctrl+C stops.')
  expect(second(':memory:')).toBe('Nothing is kept. Ctrl+C stops.')
})
