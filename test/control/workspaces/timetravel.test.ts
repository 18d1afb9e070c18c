/** Advancing the clock, with a fake queue whose times and results the test controls. */
import { describe, expect, test, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { TimeTravel } from '../../../src/control/workspaces/timetravel.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'

const NOON = Date.parse('2030-01-01T12:00:00Z')
const HOUR = 3_600_000

async function frozenWorkspace(): Promise<Workspace> {
  const app = await buildApp()
  onTestFinished(() => app.close())
  const workspace = app.workspaces.create({ name: 'Test' }, (made) => made)
  workspace.clock.set(NOON, true)
  return workspace
}

/** Deliveries due at these times; each delivery sent is recorded with its time. */
function madeUpQueue(due: number[], send: () => Promise<void> = () => Promise.resolve()) {
  const sent: string[] = []
  return {
    sent,
    earliestDue: () => Math.min(...due, Infinity),
    late: () => [],
    countDue: () => 0,
    refuseDue: () => null,
    sendDue: (workspace: Workspace) => {
      const now = workspace.now()
      for (const time of due.filter((each) => each <= now)) {
        due.splice(due.indexOf(time), 1)
        sent.push(iso(now))
      }
      return send()
    },
  }
}

describe('advance of the clock', () => {
  test('stops at each delivery that becomes due before its end', async () => {
    const workspace = await frozenWorkspace()
    const queue = madeUpQueue([NOON + 2 * HOUR, NOON + HOUR, NOON + 3 * HOUR, NOON + 3 * HOUR + 1])
    await new TimeTravel(queue).advance(workspace, 'PT3H')
    expect(queue.sent).toEqual([
      '2030-01-01T13:00:00.000Z',
      '2030-01-01T14:00:00.000Z',
      '2030-01-01T15:00:00.000Z',
    ])
    expect(workspace.now()).toBe(NOON + 3 * HOUR)
    expect(queue.earliestDue()).toBe(NOON + 3 * HOUR + 1)
  })

  test('sends overdue deliveries without turning the clock back', async () => {
    const workspace = await frozenWorkspace()
    const queue = madeUpQueue([NOON - HOUR])
    await new TimeTravel(queue).advance(workspace, 'PT1H')
    expect(queue.sent).toEqual(['2030-01-01T12:00:00.000Z'])
    expect(workspace.now()).toBe(NOON + HOUR)
  })

  test('goes to its end at once if receivers take longer than its limit', async () => {
    const workspace = await frozenWorkspace()
    const queue = madeUpQueue([NOON, NOON + HOUR], () => new Promise(() => undefined))
    await new TimeTravel(queue, 20).advance(workspace, 'P1D')
    expect(queue.sent).toEqual(['2030-01-01T12:00:00.000Z'])
    expect(workspace.now()).toBe(NOON + 24 * HOUR)
  })

  test('ends even if a delivery stays due', async () => {
    const workspace = await frozenWorkspace()
    const queue = {
      earliestDue: () => NOON,
      late: () => [],
      countDue: () => 1,
      refuseDue: () => null,
      sendDue: () => Promise.resolve(),
    }
    await new TimeTravel(queue, 20).advance(workspace, 'PT1H')
    expect(workspace.now()).toBe(NOON + HOUR)
  })

  test('keeps a running clock running, and never turns it back', async () => {
    const workspace = await frozenWorkspace()
    workspace.clock.set(NOON, false)
    await new TimeTravel(madeUpQueue([NOON + HOUR])).advance(workspace, 'PT2H')
    expect(workspace.clock.isFrozen).toBe(false)
    expect(workspace.now()).toBeGreaterThanOrEqual(NOON + 2 * HOUR)
  })

  test('does not turn a clock back that has passed the target in the meantime', async () => {
    const workspace = await frozenWorkspace()
    workspace.clock.set(NOON, false)
    const queue = madeUpQueue([NOON + HOUR], () => {
      workspace.clock.set(NOON + 3 * HOUR, false)
      return Promise.resolve()
    })
    await new TimeTravel(queue).advance(workspace, 'PT2H')
    expect(workspace.now()).toBeGreaterThanOrEqual(NOON + 3 * HOUR)
  })

  test('returns a conflict at its current time when it is cancelled', async () => {
    const workspace = await frozenWorkspace()
    let finish = (): void => undefined
    const queue = madeUpQueue(
      [NOON + HOUR],
      () =>
        new Promise((resolve) => {
          finish = resolve
        }),
    )
    const travel = new TimeTravel(queue)
    const journey = travel.advance(workspace, 'P1D')
    const next = travel.advance(workspace, 'P1D')
    const refused = expect(journey).rejects.toMatchObject({ reason: 'conflict' })
    const refusedToo = expect(next).rejects.toMatchObject({ reason: 'conflict' })
    await Promise.resolve()
    await Promise.resolve()
    travel.callOff(workspace)
    finish()
    await refused
    await refusedToo
    expect(workspace.now()).toBe(NOON + HOUR)
    await travel.advance(workspace, 'PT1H')
    expect(workspace.now()).toBe(NOON + 2 * HOUR)
  })

  test('does not delay the next one if it is refused', async () => {
    const workspace = await frozenWorkspace()
    const travel = new TimeTravel(madeUpQueue([]))
    const broken = expect(travel.advance(workspace, 'tomorrow')).rejects.toMatchObject({ reason: 'invalid' })
    await travel.advance(workspace, 'PT1H')
    await broken
    expect(workspace.now()).toBe(NOON + HOUR)
  })
})
