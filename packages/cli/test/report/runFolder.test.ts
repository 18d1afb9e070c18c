/** The folder of a run of tests: a part for each test, and one page. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import { freshWorkspace, sharedSimulator } from '../../../client/test/simulator.ts'
import type { RunReport } from '../../src/report/runReport.ts'
import { keepPart, partsIn, removeParts, writeRun } from '../../src/report/runFolder.ts'
import { REPORT_TEXT } from './mutateReport.ts'

/** Makes a workspace that reads a link, and keeps its part as that of a test. */
async function ran(folder: string, name: string): Promise<void> {
  const { url, adminToken } = await sharedSimulator()
  const workspace = await freshWorkspace({ fixtures: 'none' })
  const json = { amount: 2550 }
  const { data } = (await (await workspace.fetch('payments', '/payment-links', { json })).json()) as {
    data: { id: string }
  }
  await workspace.fetch('payments', `/payment-links/${data.id}`)
  await keepPart(folder, { url, adminToken, id: workspace.id, test: name })
}

const pageIn = (folder: string): RunReport =>
  JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as RunReport

test('a page has all tests; one that runs again replaces its part', async () => {
  const folder = join(scratchFolder(), 'going-live')
  writeRun(folder)
  expect(existsSync(folder)).toBe(false)
  await ran(folder, 'pays')
  await ran(folder, 'asks')
  await ran(folder, 'pays')
  writeRun(folder)
  expect(readdirSync(folder).sort()).toEqual(['report.html', 'report.json', 'report.md', 'suite-sim-parts'])
  const { workspaces, questions, summary } = pageIn(folder)
  expect(workspaces.map(({ name }) => name)).toEqual(['asks', 'pays'])
  expect(summary.calls).toBe(4)
  expect(questions.map(({ place, count }) => [place, count])).toEqual([
    ['GET /payment-links/{link_id} 200', 2],
  ])
  expect(questions[0]?.requests).toEqual([
    expect.stringMatching(/^asks: req_/),
    expect.stringMatching(/^pays: req_/),
  ])
})

test('the parts of an earlier run are removed, and nothing else', async () => {
  const folder = scratchFolder()
  writeFileSync(join(folder, 'mine.json'), '{}')
  await ran(folder, 'pays')
  removeParts(folder)
  expect(readdirSync(folder)).toEqual(['mine.json'])
  removeParts(join(folder, 'none'))
})

test('report --run makes the page of a folder again, with scores, and refuses other folders', async () => {
  const folder = scratchFolder()
  await ran(join(folder, 'going-live'), 'pays')
  writeFileSync(join(folder, 'mutate.json'), REPORT_TEXT)
  const { code, stdout } = await runHere(['report', '--run', 'going-live', '--mutate', 'mutate.json'], {
    folder,
    variables: {},
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ workspaces: [{ name: 'pays' }], mutate: { share: 0.75 } })

  mkdirSync(join(folder, 'other/suite-sim-parts'), { recursive: true })
  writeFileSync(join(folder, 'other/suite-sim-parts/a.json'), '{"format":"suite-simulator-report-part/0"}')
  for (const wrong of ['other', 'none']) {
    expect(() => partsIn(join(folder, wrong))).toThrow('must be a folder of SUITE_SIM_REPORT')
    const refused = await runHere(['report', '--run', wrong], { folder, variables: {} })
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--run: ${wrong}: must be`) as string,
    })
  }
})
