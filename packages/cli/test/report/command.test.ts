/** `suite-sim report`: what it prints and writes of a run. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHere, sharedHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import type { RunReport } from '../../src/report/runReport.ts'
import { REPORT } from './mutateReport.ts'

let url: string
/** The id of the workspace in which a payment link was made, paid, and could not be disabled. */
let ran: string
beforeAll(async () => {
  ;({ url } = await sharedHere())
  const post = async (path: string, body: object, key?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, Record<string, string>>
  }
  const made = await post('/_sim/workspaces', { name: 'a <b>|`c`', fixtures: 'small', labels: { run: '42' } })
  ran = made['workspace']?.['id'] ?? ''
  const key = made['key'] as unknown as string
  const link = await post('/pay/v1/payment-links', { amount: 2550 }, key)
  const id = link['data']?.['id'] ?? ''
  await post(`/_sim/workspaces/${ran}/triggers/payments.link.pay`, { link_id: id })
  await fetch(`${url}/pay/v1/payment-links/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  })
  await post('/_sim/workspaces', { name: 'unused', labels: { run: '42', part: 'unused' } })
})

async function sim(...args: string[]) {
  const folder = scratchFolder()
  const ended = await runHere(['report', ...args], { folder, variables: { SIM_URL: url } })
  return { folder, ...ended }
}

const report = async (...args: string[]): Promise<RunReport> => {
  const { code, stdout, stderr } = await sim(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as RunReport
}

const PLACES = ['DELETE /payment-links/{link_id} 409', 'payments.link pay', 'Error.error']

describe('report', () => {
  test('prints JSON in a pipe, and Markdown with --format md, in which texts of the server render nothing', async () => {
    const { questions, summary, workspaces } = await report('--workspace', ran)
    expect(questions.map(({ place }) => place).sort()).toEqual(PLACES.sort())
    expect(questions.at(-1)).toMatchObject({ place: 'Error.error', cost: 'wording' })
    expect(summary).toMatchObject({ calls: 2, examined: 2, questions: 3 })
    expect(workspaces).toEqual([{ id: ran, name: 'a <b>|`c`' }])

    const { stdout } = await sim('--workspace', ran, '--format', 'md')
    expect(stdout).toMatch(/^# Before going live\n/)
    expect(stdout).toContain(String.raw`(a \<b\>\|'c')`)
    expect(stdout).toMatch(/\n## Ask the vendor these questions\n\n.+3 assumptions.+\n\n1\. \*\*Does /)
    expect(stdout).toContain('- The specification leaves it open: "Other transitions of link, transaction')
    expect(stdout).toMatch(/Your run relied on it once \(`(?:req|trg)_\d+`\)\./)
    expect(stdout).toContain('| `payments.link pay` | `active` | `paid` | 1 |')
  })

  test('--format html prints one page without scripts and foreign files, in which texts of the server are text', async () => {
    const { stdout } = await sim('--workspace', ran, '--format', 'html')
    expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(stdout).toContain('(a &lt;b&gt;|&#39;c&#39;)')
    expect(stdout).toContain('<strong>Can <code>Error.error</code> be <code>link_not_active</code>?</strong>')
    expect(stdout).toContain('<span class="cost money">money</span>')
    expect(stdout.match(/<(?:script|link|img|iframe)|url\(|src=|https?:/g)).toBeNull()
    expect(stdout).toContain(`default-src 'none'`)
  })

  test('--label reads all workspaces with it', async () => {
    const { workspaces, questions } = await report('--label', 'run:42')
    expect(workspaces.map(({ name }) => name).sort()).toEqual(['a <b>|`c`', 'unused'])
    expect(questions).toHaveLength(3)
    const { code, stderr } = await sim('--label', 'run:43')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no workspace') as string })
  })

  test('without calls asks nothing', async () => {
    const { stdout } = await sim('--label', 'part:unused', '--format', 'md')
    expect(stdout).toContain('The run made no call yet.')
  })

  test('--out writes a file whose name says the format, or a folder with all formats', async () => {
    const { folder, code, stdout } = await sim('--workspace', ran, '--out', 'new/page.md')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'new/page.md\n' })
    expect(readFileSync(join(folder, 'new/page.md'), 'utf8')).toMatch(/^# Before going live\n/)
    const all = await sim('--workspace', ran, '--out', 'going-live')
    expect(readdirSync(join(all.folder, 'going-live')).sort()).toEqual(
      all.stdout
        .split('\n')
        .flatMap((line) => line.split('/')[1] ?? [])
        .sort(),
    )
    const wrong = await sim('--workspace', ran, '--out', 'page.pdf')
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('page.pdf must end in') as string,
    })
    expect(existsSync(join(wrong.folder, 'page.pdf'))).toBe(false)
  })

  test('has the scores of exam and mutate, and leaves out what verify confirmed', async () => {
    const folder = scratchFolder()
    const file = (name: string, value: object): string => {
      writeFileSync(join(folder, name), JSON.stringify(value))
      return join(folder, name)
    }
    const properties = [{ title: 'Works once', grade: 'fail' }]
    const claims = [{ interface: 'payments', claim: 'move payments.link pay', verdict: 'agrees' }]
    const run = { id: 'r', baseUrl: 'https://suite.example.com', endedAt: '2026-11-20T08:00:00.000Z' }
    const args = [
      ...['--exam', file('exam.json', { receiver: 'http://shop/hooks', result: 'failed', properties })],
      ...['--mutate', file('mutate.json', REPORT)],
      ...[
        '--verify',
        file('verify.json', { format: 'suite-simulator-verify/1', run, differences: [], claims }),
      ],
    ]
    const { questions, confirmed } = await report('--workspace', ran, ...args)
    expect(questions).toHaveLength(2)
    expect(confirmed).toMatchObject([{ place: 'payments.link pay', by: 'verify', at: run.endedAt }])
    const { stdout } = await sim('--workspace', ran, '--format', 'md', ...args)
    expect(stdout).toContain('exam of `http://shop/hooks`: 0 of 1 property passed')
    expect(stdout).toContain('Failed: Works once')
    expect(stdout).toContain('(mutate)? 75%: 3 of 4 harmful changes were noticed')
    expect(stdout).toContain('verify compared `https://suite.example.com`')
  })

  test.each(['--exam', '--mutate', '--verify'])('%s refuses a file of another kind', async (flag) => {
    const file = join(scratchFolder(), 'wrong.json')
    writeFileSync(file, '{"wrong":true}')
    const { code, stderr } = await sim('--workspace', ran, flag, file)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${flag}: ${file}: must be`) as string,
    })
    expect((await sim(flag, 'none.json')).stderr).toContain('the file does not exist')
  })

  test('says so if there is no such workspace', async () => {
    const { code, stderr } = await sim('--workspace', 'none')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('none') as string })
  })
})
