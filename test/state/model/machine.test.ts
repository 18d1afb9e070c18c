/** State machines as data. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MACHINES } from '../../../src/app.ts'
import { catalogMachines } from '../../../src/state/catalog/machines.ts'
import { assumed, documented } from '../../../src/state/model/fidelity.ts'
import { machine, mustMove, take, type Machine } from '../../../src/state/model/machine.ts'
import { Refusal } from '../../../src/state/model/refusal.ts'
import { ROOT } from '../../support/process.ts'

const STATE = join(ROOT, 'src', 'state')

const order = machine({
  name: 'test.order',
  title: 'Order',
  states: ['open', 'paid', 'shipped', 'cancelled'],
  initial: ['open'],
  moves: {
    pay: { from: ['open'], to: 'paid', by: 'POST /pay', fidelity: documented },
    ship: { from: ['paid'], to: 'shipped', by: 'POST /ship', emits: 'order.shipped', fidelity: documented },
    cancel_all: {
      from: ['open', 'paid'],
      to: 'cancelled',
      settledIn: ['cancelled'],
      by: 'DELETE',
      fidelity: assumed('Because.'),
    },
    lapse: { can: 'lapse', from: ['open'], to: 'cancelled', by: 'the clock', fidelity: documented },
  },
})

describe('attempting a move', () => {
  test.each([
    ['open', 'pay', 'paid'],
    ['paid', 'pay', null],
    ['shipped', 'pay', null],
    ['cancelled', 'pay', null],
    ['open', 'ship', null],
    ['paid', 'ship', 'shipped'],
    ['shipped', 'ship', null],
    ['cancelled', 'ship', null],
    ['open', 'cancel_all', 'cancelled'],
    ['paid', 'cancel_all', 'cancelled'],
    ['shipped', 'cancel_all', null],
    ['cancelled', 'cancel_all', 'cancelled'],
  ] as const)('from %s with %s leads to %s', (from, move, to) => {
    const outcome = order.attempt(from, move)

    if (to === null) {
      expect(outcome).toBeInstanceOf(Refusal)
      expect(outcome).toMatchObject({ reason: 'wrong_state', info: { facts: { state: from, move } } })
      expect(() => mustMove(order, from, move)).toThrow(Refusal)
    } else {
      expect(outcome).toBe(to)
      expect(mustMove(order, from, move)).toBe(to)
    }
  })

  test('is refused with a message that lists the possible moves', () => {
    expect(order.attempt('shipped', 'cancel_all')).toMatchObject({
      message: 'The order is shipped; it can be cancelled all only while open or paid.',
    })
    expect(order.attempt('shipped', 'lapse')).toMatchObject({
      message: 'The order is shipped; it can lapse only while open.',
    })
  })

  test('is refused in words that fit every move', () => {
    const machines: readonly Machine[] = MACHINES
    const words = machines.flatMap(({ states, moves, attempt }) =>
      Object.keys(moves).flatMap((move) => {
        const refusal = states.map((from) => attempt(from, move)).find((each) => each instanceof Refusal)
        return refusal ? [/; it can (.+) only while /.exec(refusal.message)?.[1]] : []
      }),
    )
    expect([...new Set(words)].sort()).toEqual([
      'be accepted',
      'be activated',
      'be archived',
      'be cancelled',
      'be closed',
      'be completed',
      'be confirmed',
      'be delivered',
      'be deposited',
      'be disabled',
      'be ended',
      'be given up',
      'be lost',
      'be moved',
      'be paid',
      'be paused',
      'be processed',
      'be published',
      'be read',
      'be redrafted',
      'be refunded',
      'be refunded in part',
      'be rejected',
      'be reopened',
      'be rescheduled',
      'be resent',
      'be restored',
      'be shown again',
      'be started',
      'be used',
      'be won',
      'begin its process',
      'expire',
      'fail',
      'fall due',
      'have its cancellation accepted',
      'have its cancellation lapse',
      'have its cancellation rejected',
      'have its cancellation requested',
      'lapse',
      'succeed',
      'wake',
    ])
  })
})

describe('taking a move', () => {
  test('returns the next state and the event of the move', () => {
    const taken: { state: string; event: 'order.shipped' } = take(order, 'paid', 'ship')

    expect(taken).toEqual({ state: 'shipped', event: 'order.shipped' })
  })

  test('is refused if it is not allowed', () => {
    expect(() => take(order, 'open', 'ship')).toThrow(Refusal)
  })

  test('does not compile without an event', () => {
    // @ts-expect-error pay emits nothing
    expect(take(order, 'open', 'pay')).toEqual({ state: 'paid', event: undefined })
  })
})

test('names the event of a move in its machine and in no action', () => {
  const machines: readonly Machine[] = MACHINES
  const names = machines.flatMap(({ moves }) => Object.values(moves).flatMap(({ emits }) => emits ?? []))
  expect(names).toContain('deal.won')
  const actions = readdirSync(STATE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(catalog|crm|payments|integration-payments)\/(?!machines|events|eventNames).*\.ts$/.test(file),
  )
  expect(actions).toContain('crm/sales/deals.ts')
  const again = actions.flatMap((file) => {
    const text = readFileSync(join(STATE, file), 'utf8')
    return names.filter((name) => text.includes(`'${name}'`)).map((name) => `${file}: ${name}`)
  })
  expect(again).toEqual([])
})

describe('move between two states', () => {
  test.each([
    ['open', 'paid', 'pay'],
    ['paid', 'shipped', 'ship'],
    ['open', 'cancelled', 'cancel_all'],
    ['paid', 'cancelled', 'cancel_all'],
  ] as const)('from %s to %s is %s', (from, to, move) => {
    expect(order.moveBetween(from, to)).toBe(move)
  })

  test.each([
    [
      'open',
      'shipped',
      'The order is open and cannot become shipped; from open it can become paid or cancelled.',
    ],
    [
      'paid',
      'open',
      'The order is paid and cannot become open; from paid it can become shipped or cancelled.',
    ],
    [
      'shipped',
      'open',
      'The order is shipped and cannot become open; from shipped it can become nothing else.',
    ],
  ] as const)('from %s to %s does not exist', (from, to, message) => {
    const outcome = order.moveBetween(from, to)

    expect(outcome).toBeInstanceOf(Refusal)
    expect(outcome).toMatchObject({
      reason: 'wrong_state',
      message,
      info: { facts: { state: from, wanted: to } },
    })
  })
})

test('draws all moves as a Mermaid state diagram', () => {
  expect(order.diagram()).toBe(
    [
      'stateDiagram-v2',
      '  [*] --> open',
      '  open --> paid: pay',
      '  paid --> shipped: ship',
      '  open --> cancelled: cancel_all',
      '  paid --> cancelled: cancel_all',
      '  open --> cancelled: lapse',
      '',
    ].join('\n'),
  )
})

describe.each(catalogMachines.map((each) => [each.name, each as Machine] as const))('%s', (_name, each) => {
  test('can reach every state from the initial states', () => {
    const reached = new Set<string>(each.initial)
    for (const state of reached) {
      // Iterating over a set includes values that are added during the iteration.
      for (const move of Object.values(each.moves)) if (move.from.includes(state)) reached.add(move.to)
    }

    expect([...reached].sort()).toEqual([...each.states].sort())
  })

  test('uses only its own states in its moves, and states the fidelity of each', () => {
    for (const move of Object.values(each.moves)) {
      for (const state of [...move.from, move.to, ...(move.settledIn ?? [])]) {
        expect(each.states).toContain(state)
      }
      if (move.fidelity.status === 'assumed') expect(move.fidelity.why).toMatch(/\.$/)
    }
  })
})
