/** Every state of every machine is reached from an empty workspace by moves of clients, or refused with the reason. */
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../src/state/model/machine.ts'
import { deliveryMachine } from '../../src/webhooks/deliveries/machine.ts'
import { freshApp, type FreshApp } from '../support/app.ts'
import { demoWorkspace } from './allActions.ts'
import { INTERFACES } from '../support/subject.ts'

const MACHINES: readonly Machine[] = [...INTERFACES.flatMap(({ machines }) => machines), deliveryMachine]

const STATES = MACHINES.flatMap((machine) =>
  machine.states.map((state) => ({ name: machine.name, state, why: machine.reach?.unreached?.[state] })),
)

interface Reached {
  readonly record: Readonly<Record<string, unknown>>
  readonly state: string
  readonly way: readonly { kind: string; title: string; curl: string; code: string }[]
}

interface JournalEntry {
  readonly interface: string
  readonly operation: string | null
  readonly status: number
  readonly caller: { readonly name?: string } | null
}

const reachIn = (fresh: FreshApp, record: string, state: string, more: object = {}) =>
  fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reach`, { body: { record, state, ...more } })

async function journalOf({ call, workspace }: FreshApp) {
  const calls = await call('GET', `/_sim/workspaces/${workspace.id}/requests?limit=1000`)
  const timeline = await call('GET', `/_sim/workspaces/${workspace.id}/timeline?limit=1000`)
  return {
    calls: (calls.body as { data: JournalEntry[] }).data,
    triggers: (timeline.body as { data: { kind: string }[] }).data.filter(({ kind }) => kind === 'trigger'),
  }
}

/** The state that a response shows: of an activity, whether it is completed. */
function stateIn(response: Reached['record']): unknown {
  const record = (response['data'] ?? response) as Reached['record']
  if (typeof record['completed'] === 'boolean') return record['completed'] ? 'completed' : 'planned'
  return record['status'] ?? record['stage']
}

describe('from an empty workspace', () => {
  test.each(STATES.filter(({ why }) => why === undefined))(
    'a record of $name becomes $state by documented or labelled moves',
    async ({ name, state }) => {
      const fresh = await freshApp()
      fresh.setClock('2026-11-20T15:00:00Z')
      const { status, body, text } = await reachIn(fresh, name, state)
      expect(status, text).toBe(200)
      const reached = body as Reached
      expect(reached.state).toBe(state)
      expect(stateIn(reached.record)).toBe(state)

      const { calls, triggers } = await journalOf(fresh)
      expect(calls.filter((each) => each.operation === null || each.status >= 400)).toEqual([])
      expect(calls.every(({ caller }) => caller?.name === 'reach')).toBe(true)
      const count = (kind: string) => reached.way.filter((each) => each.kind === kind).length
      expect(triggers).toHaveLength(count('trigger'))
      // The last call reads the record.
      expect(calls.length - count('call')).toBe(machineNamed(name).reach?.get === undefined ? 0 : 1)
      if (count('clock') === 0) expect(fresh.now()).toBe('2026-11-20T15:00:00.000Z')
    },
  )

  test.each(STATES.filter(({ why }) => why !== undefined))(
    'no way leads a record of $name to $state, and the refusal says why',
    async ({ name, state, why }) => {
      const { status, text } = await reachIn(await freshApp(), name, state)
      expect(status).toBe(422)
      expect(text).toContain(why)
    },
  )

  test('95 of 100 states are reached', () => {
    expect(MACHINES).toHaveLength(25)
    const reached = STATES.filter(({ why }) => why === undefined)
    expect(reached.length / STATES.length).toBeGreaterThan(0.95)
  })
})

test('reaches every state of a workspace with records twice, and leaves them as they are', async () => {
  const fresh = await demoWorkspace()
  const path = `/_sim/workspaces/${fresh.workspace.id}`
  await fresh.call('PUT', `${path}/clock`, { body: { frozen: true } })
  await fresh.call('POST', `${path}/snapshots`, { body: { name: 'before' } })
  const moving: string[] = []
  for (const { name, state, why } of [...STATES, ...STATES]) {
    if (why !== undefined || moving.includes(`${name} ${state}`)) continue
    const { status, body, text } = await reachIn(fresh, name, state)
    expect({ name, state, status }, text).toEqual({ name, state, status: 200 })
    if (!(body as Reached).way.some(({ title }) => title.startsWith('Advance the clock'))) continue
    moving.push(`${name} ${state}`)
    await fresh.call('POST', `${path}/snapshots/before/restore`)
  }
  expect(moving).toEqual([
    'signage.pairing_code expired',
    'recruiting.import completed',
    'payments.link expired',
    'integration-payments.link expired',
  ])
  const { body } = await fresh.call('GET', `${path}/diff?from=before&limit=1000`)
  const { data } = body as { data: { section: string; change: string }[] }
  const changed = data.filter(({ change }) => change !== 'added').map(({ section }) => section)
  // An automation that reacted, and the last folio.
  expect(changed).toEqual(['crm.automations', 'tax-invoicing.series'])
})

const machineNamed = (wanted: string): Machine => {
  const found = MACHINES.find(({ name }) => name === wanted)
  if (!found) throw new Error(`there is no machine ${wanted}`)
  return found
}
