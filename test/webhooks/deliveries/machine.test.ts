import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/state/model/refusal.ts'
import { deliveryMachine } from '../../../src/webhooks/deliveries/machine.ts'

const ALL = {
  pending: { succeed: 'delivered', give_up: 'dead', send_again: 'pending' },
  delivered: { succeed: null, give_up: null, send_again: 'pending' },
  dead: { succeed: null, give_up: null, send_again: 'pending' },
} as const

describe('delivery', () => {
  const cases = Object.entries(ALL).flatMap(([from, moves]) =>
    Object.entries(moves).map(([move, to]) => [from, move, to] as const),
  )

  test.each(cases)('in %s with %s becomes %s', (from, move, to) => {
    const next = deliveryMachine.attempt(from as keyof typeof ALL, move as keyof typeof ALL.pending)
    if (to === null) expect(next).toMatchObject({ reason: 'wrong_state' })
    else expect(next).toBe(to)
    expect(next instanceof Refusal).toBe(to === null)
  })

  test('has no other states or moves', () => {
    expect([...deliveryMachine.states].sort()).toEqual(Object.keys(ALL).sort())
    expect(Object.keys(deliveryMachine.moves).sort()).toEqual(Object.keys(ALL.pending).sort())
  })

  test('starts as pending', () => {
    expect(deliveryMachine.initial).toEqual(['pending'])
  })
})
