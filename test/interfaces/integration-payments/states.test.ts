/** Specification part 2, "Integration payment links": every state and every move, and expiry by the clock. */
import { describe, expect, test } from 'vitest'
import { linkMachine } from '../../../src/state/integration-payments/machines.ts'
import {
  freshProject,
  NEXT_NOON,
  NOON,
  refusal,
  statusAndBody,
  type LinkState,
  type Project,
} from '../../support/integrationPayments.ts'

const { states } = linkMachine
type Move = keyof typeof linkMachine.moves

/** The calls that make each move; the clock makes the move `expire`. */
const WAYS: Readonly<
  Record<Exclude<Move, 'expire'>, (project: Project, hashUrl: string) => Promise<number>>
> = {
  process: async ({ pull }, hashUrl) => (await pull('link.process', { hashUrl })).status,
  complete: async ({ pull }, hashUrl) => (await pull('link.complete', { hashUrl })).status,
  cancel: async ({ call }, hashUrl) => (await call('PATCH', `/v1/payment-links/${hashUrl}/cancel`)).status,
}

/** The moves of the specification and its assumed completion; all others are refused. */
const ALLOWED: Readonly<Record<keyof typeof WAYS, Partial<Record<LinkState, LinkState>>>> = {
  process: { pending: 'processing' },
  complete: { pending: 'completed', processing: 'completed' },
  cancel: { pending: 'cancelled', processing: 'cancelled', expired: 'cancelled' },
}

const moves = Object.keys(WAYS) as (keyof typeof WAYS)[]

describe.each(states)('a link in %s', (state) => {
  test('is listed only under this state', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.linkInState(state)
    expect(await project.findLink(hashUrl)).toMatchObject({ status: state })
    for (const other of states) {
      expect((await project.listLinks(`?status=${other}`)).total).toBe(other === state ? 1 : 0)
    }
  })

  test.each(moves)('responds to %s as its machine allows', async (move) => {
    const project = await freshProject()
    const { hashUrl } = await project.linkInState(state)
    const [link, events] = [await project.findLink(hashUrl), project.events().length]
    const status = await WAYS[move](project, hashUrl)
    const next = ALLOWED[move][state]
    if (next === undefined) {
      // 400 in the interface, 409 in the control plane.
      expect(status).toBe(move === 'cancel' ? 400 : 409)
      expect(await project.findLink(hashUrl)).toEqual(link)
      expect(project.events()).toHaveLength(events)
    } else {
      expect(status).toBe(200)
      expect((await project.findLink(hashUrl)).status).toBe(next)
    }
  })

  test('expires at its time only if it is pending', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.linkInState(state)
    project.setClock('2026-12-31T00:00:00.000Z')
    const expected = state === 'pending' ? 'expired' : state
    expect((await project.findLink(hashUrl)).status).toBe(expected)
  })
})

test.each([
  ['completed', 400],
  ['cancelled', 400],
  ['completed', 409],
  ['cancelled', 409],
] as const)(
  'returns an invalid state for cancelling a %s link, with the status %i that the reading says',
  async (state, status) => {
    const { call, linkInState, fresh } = await freshProject()
    if (status === 409) fresh.workspace.change({ readings: { 'integration-payments.invalid_state': '409' } })
    const { hashUrl } = await linkInState(state)
    expect(statusAndBody(await call('PATCH', `/v1/payment-links/${hashUrl}/cancel`))).toEqual(
      refusal(status, 'ERR_INVALID_STATE', expect.stringContaining(`is ${state}`) as unknown),
    )
  },
)

describe('expiry', () => {
  test('comes exactly 24 hours after the link was created', async () => {
    const { addCollectionLink, findLink, setClock } = await freshProject()
    const { hashUrl } = await addCollectionLink()
    setClock('2026-11-22T11:59:59.999Z')
    expect((await findLink(hashUrl)).status).toBe('pending')
    setClock(NEXT_NOON)
    const link = await findLink(hashUrl)
    expect(link).toMatchObject({ status: 'expired', expiresAt: NEXT_NOON })
    expect(link).not.toHaveProperty('cancelledAt')
  })

  test('comes while the clock is advanced, to each link at its time, without an event', async () => {
    const { addCollectionLink, events, fresh, listLinks, setClock } = await freshProject()
    await addCollectionLink()
    await addCollectionLink()
    setClock('2026-11-21T18:00:00.000Z')
    await addCollectionLink()
    const advance = (duration: string) =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clock/advance`, { body: { duration } })
    await advance('PT18H')
    expect((await listLinks()).paymentLinks.map(({ status }) => status)).toEqual([
      'pending',
      'expired',
      'expired',
    ])
    await advance('PT6H')
    expect((await listLinks('?status=expired')).total).toBe(3)
    expect(events()).toEqual([])
  })

  test('is final even if the clock is set back', async () => {
    const { linkInState, findLink, setClock } = await freshProject()
    const { hashUrl } = await linkInState('expired')
    setClock(NOON)
    expect((await findLink(hashUrl)).status).toBe('expired')
  })

  test('of one workspace does not affect another', async () => {
    const { addCollectionLink, findLink, fresh } = await freshProject()
    const { hashUrl } = await addCollectionLink()
    fresh.setClock('2027-01-01T00:00:00.000Z', { workspace: fresh.tenant().workspace })
    expect((await findLink(hashUrl)).status).toBe('pending')
  })
})
