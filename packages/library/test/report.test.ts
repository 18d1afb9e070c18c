/** `reportRun()`: the report on workspaces, and wrong arguments. */
import { expect, test } from 'vitest'
import { reportRun, type MutateReport } from '../src/index.ts'
import { REPORT_TEXT } from '../../cli/test/report/mutateReport.ts'
import { freshWorkspace } from '../../client/test/simulator.ts'

test('returns what workspaces relied on, with what verify confirmed and the scores of exams', async () => {
  const workspace = await freshWorkspace({ fixtures: 'none' })
  const json = { amount: 2550 }
  const { data } = (await (await workspace.fetch('payments', '/payment-links', { json })).json()) as {
    data: { id: string }
  }
  await workspace.trigger('payments.link.pay', { link_id: data.id })
  await workspace.fetch('payments', '/payment-links/none')
  const { questions, workspaces, confirmed } = await reportRun(workspace)
  expect(questions.map(({ place, cost }) => [place, cost])).toEqual([
    ['payments.link pay', 'money'],
    ['Error.error', 'wording'],
  ])
  expect(workspaces).toEqual([{ id: workspace.id, name: workspace.name }])
  expect(confirmed).toEqual([])

  const verify = {
    run: { baseUrl: 'https://suite.example.com', endedAt: '2026-11-20T08:00:00.000Z' },
    claims: [{ interface: 'payments', claim: 'move payments.link pay', verdict: 'agrees' }],
  } as never
  const exams = [
    { caller: 'function', result: 'passed', properties: [{ title: 'Pays once', grade: 'pass' }] },
  ]
  const again = await reportRun([workspace, await freshWorkspace({ fixtures: 'none' })], {
    verify,
    exams: exams as never,
    mutate: JSON.parse(REPORT_TEXT) as MutateReport,
  })
  expect(again.confirmed.map(({ place }) => place)).toEqual(['payments.link pay'])
  expect(again.questions).toHaveLength(1)
  expect(again.exams).toEqual([{ examined: 'function', result: 'passed', passed: 1, of: 1, failed: [] }])
  expect(again.mutate).toMatchObject({ share: 0.75, survived: [{ subject: 'Link.amount' }] })
})

test('refuses what is no workspace, and unknown options', async () => {
  const workspace = await freshWorkspace({ fixtures: 'none' })
  for (const wrong of [undefined, [], [workspace, 'demo'], 'demo'])
    await expect(reportRun(wrong as never)).rejects.toThrow(
      'reportRun(): the first argument must be a workspace',
    )
  await expect(reportRun(workspace, { verifed: 1 } as never)).rejects.toThrow('verifed')
  for (const [name, wrong] of Object.entries({ exams: [{}], mutate: { score: 0.9, survivors: [] } }))
    await expect(reportRun(workspace, { [name]: wrong })).rejects.toThrow(
      /^reportRun\(\): (?:each of exams|mutate) must be a report of suite-sim \w+ --report json$/,
    )
})
