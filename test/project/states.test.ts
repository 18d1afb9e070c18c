/**
 * What a new state of a machine must reach: due jobs, reports and rules. Rules that name every state do not compile
 * without it (`statesWhere`, `ofEachState`).
 */
import { expect, test } from 'vitest'
import { machinesOfTable } from '../../src/state/storage/records/record.ts'
import type { Machine } from '../../src/state/model/machine.ts'
import { dealMachine } from '../../src/state/crm/machines.ts'
import {
  applicationMachine,
  FUNNEL,
  interviewMachine,
  vacancyMachine,
} from '../../src/state/recruiting/machines.ts'
import { screenMachine } from '../../src/state/signage/machines.ts'
import { freshSales } from '../support/deals.ts'
import { freshRecruiting } from '../support/recruiting.ts'
import { freshSignage } from '../support/signage.ts'
import { INTERFACES } from '../support/subject.ts'

/** The moves of a machine that the clock makes. */
const clockMovesOf = ({ moves }: Machine) => Object.values(moves).filter(({ by }) => by.includes('the clock'))

const WITH_JOBS = INTERFACES.flatMap(({ records }) => records).flatMap(({ table, section, name, job }) =>
  job === null
    ? []
    : machinesOfTable(table).map(([column, machine]) => ({
        title: `${section}.${name}`,
        column,
        machine,
        job,
      })),
)

test.each(WITH_JOBS.map((each) => [each.title, each] as const))(
  'the job of %s is due in the states that its move leaves',
  (_title, { column, machine, job }) => {
    const moves = clockMovesOf(machine)
    const left = new Set(moves.flatMap(({ from }) => from))
    expect(new Set(job.when?.[column])).toEqual(left)
    // The job of a state to which the move leads would be due forever.
    for (const { to } of moves) expect(left).not.toContain(to)
  },
)

test('every move of the clock has a job', () => {
  const machines = INTERFACES.flatMap((each) => each.machines).filter((each) => clockMovesOf(each).length > 0)
  expect(machines.length).toBeGreaterThan(5)
  const names = WITH_JOBS.map(({ machine }) => machine.name)
  // The cancellation of an invoice lapses with its invoice.
  expect(machines.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([
    'tax-invoicing.invoice',
  ])
})

const keysOf = (counts: object, ...others: string[]): string[] =>
  Object.keys(counts).filter((key) => !others.includes(key))

test('the summary of screens counts each status', async () => {
  const { ask } = await freshSignage()
  const summary = await ask<object>('GET', '/analytics/screens/status')
  expect(keysOf(summary, 'total_screens', 'average_uptime_percent')).toEqual(screenMachine.states)
})

test('the summary of recruiting counts each status and stage', async () => {
  const { ask } = await freshRecruiting()
  const { data } = await ask<{
    data: {
      vacancies: object
      candidates: { by_stage: object }
      interviews: object
      conversion_funnel: object
    }
  }>('GET', '/analytics/summary')
  expect(keysOf(data.vacancies, 'total', 'new')).toEqual(vacancyMachine.states)
  expect(keysOf(data.candidates.by_stage, 'no_application')).toEqual(applicationMachine.states)
  expect(keysOf(data.interviews, 'no_show')).toEqual(interviewMachine.states)
  const funnel = FUNNEL.map((stage) => (stage === 'new' ? 'applied' : stage))
  expect(keysOf(data.conversion_funnel, 'rates')).toEqual(funnel)
})

test('the report on the team counts the deals of each status', async () => {
  const { ask } = await freshSales()
  const { totals } = await ask<{ totals: object }>('GET', '/reports/team')
  for (const status of dealMachine.states) expect(totals).toHaveProperty(`${status}_deals`)
})

test.each(screenMachine.states)('a screen that reports %s is not waited for twice', async (status) => {
  const { addScreen, happens, getScreen, fresh } = await freshSignage()
  const { id } = await addScreen()
  await happens('screen.report', { screen_id: id, status })

  const sim = `/_sim/workspaces/${fresh.workspace.id}`
  expect((await fresh.call('POST', `${sim}/clock/advance`, { body: { duration: 'PT1H' } })).status).toBe(200)

  const { from } = screenMachine.moves.lose
  expect((await getScreen(id)).status).toBe(from.some((each) => each === status) ? 'offline' : status)
  expect((await fresh.call('GET', `${sim}/clock/due`)).body).toEqual({ data: [] })
})
