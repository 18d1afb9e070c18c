/** Runs the programs that verify signatures, which the inbox page and docs/webhooks.md show. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSimulator } from '@suite-sim/library/index'
import { SNIPPETS, type Signed } from '@suite-sim/dashboard/signatureSnippets'
import { scratchFolder } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

/** Quotes, escapes and interpolations of all languages, and characters of two, three and four bytes. */
const SECRET = `a'b"c\\d\\n\${e}#{f}$g\\u0041ñ€😀`

/** A delivery as the built-in receiver got it. */
async function received(secret: string) {
  await using simulator = await startSimulator()
  await using workspace = await simulator.workspaces.create()
  const url = `${simulator.url}/_sim/receiver`
  await workspace.subscriptions.create({ interface: 'pos', url, secret })
  const data = { id: 'p1', name: 'Café "Ñandú" 😀\n' }
  await workspace.trigger('pos.event.emit', { event: 'stock.low', data })
  const [entry] = await workspace.inbox.wait()
  if (!entry) throw new Error('no webhook was received')
  return { body: entry.body, secret, signature: entry.headers['x-service-signature'] ?? '' }
}

function verify(language: string, body: string, signed: Signed): string {
  const snippet = SNIPPETS.find((each) => each.language === language)
  if (!snippet) throw new Error(`There is no snippet for ${language}.`)
  const folder = scratchFolder()
  writeFileSync(join(folder, snippet.file), snippet.code(signed))
  writeFileSync(join(folder, 'body.json'), body)
  // A C locale, because a program must not depend on the encoding of the terminal.
  const env = { PATH: process.env['PATH'], HOME: folder, GOCACHE: process.env['GOCACHE'], LC_ALL: 'C' }
  const { stdout, stderr, status } = spawnSync('sh', ['-c', snippet.command], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trim().toLowerCase()
}

const cases = (language: string) => (): void => {
  test('accepts a delivery, and refuses a changed body, another secret and a malformed header', async () => {
    const { body, ...signed } = await received(SECRET)
    expect(verify(language, body, signed)).toBe('true')
    expect(verify(language, body.replace('p1', 'p2'), signed)).toBe('false')
    expect(verify(language, `${body}\n`, signed)).toBe('false')
    expect(verify(language, body, { ...signed, secret: `${SECRET} ` })).toBe('false')
    expect(verify(language, body, { ...signed, signature: signed.signature.slice('sha256='.length) })).toBe(
      'false',
    )
    expect(verify(language, body, { ...signed, signature: 'ñ' })).toBe('false')
  })
}

describe('the program in Node.js', cases('Node.js'))
for (const language of ['Python', 'Go', 'Java', 'PHP', 'Ruby'] as const) {
  describeWith(language, `the program in ${language}`, cases(language))
}

test('each language is tested', () => {
  expect(SNIPPETS.map(({ language }) => language)).toEqual(['Node.js', 'Python', 'Go', 'Java', 'PHP', 'Ruby'])
})
