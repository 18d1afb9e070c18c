/** The company's payments of the year: links, payments with every outcome, refunds, and settlements twice a month. */
import type { Random } from './random.ts'
import type { Business } from './sales.ts'
import { DAY, HOUR, type Simulation } from './simulation.ts'

const GOODS = [
  'Desk lamp',
  'Task chair',
  'Standing desk, beech',
  'Delivery and assembly',
  'Acoustic panel',
  'Monitor arm',
  'Spare castors',
]

const METHODS = [
  'network_1',
  'network_1',
  'network_1',
  'network_2',
  'network_3',
  'wallet_1',
  'wallet_2',
  'ach',
] as const

export const PAYMENTS = 188

interface Link {
  readonly id: string
  readonly currency: string
}
interface Paid {
  readonly transaction_id: string
  readonly status: string
}

export function planPayments(
  simulation: Simulation,
  chance: Random,
  days: number,
  { contacts }: Business,
): void {
  const start = simulation.now
  /** Links that many people pay, such as that of a shop window; the last one is in use. */
  const open: Link[] = []
  for (let day = 0; day < days - 10; day += 45) {
    simulation.at(start + (day + 0.6) * DAY, async () => {
      for (const currency of ['USD', 'PAB']) {
        const { data } = await simulation.request<{ data: Link }>('payments', 'POST', '/payment-links', {
          currency,
          description: currency === 'USD' ? 'Web shop' : 'Showroom',
          open_amount: true,
          max_payments: 60,
          payment_methods: [...new Set(METHODS)],
          reference: `${currency === 'USD' ? 'WEB' : 'ROOM'}-${String(day)}`,
        })
        open.push(data)
      }
    })
  }
  for (let index = 0; index < PAYMENTS; index++) planPayment(index)
  // Links that nobody pays: they expire or are cancelled.
  for (let day = 40; day < days; day += 45) {
    simulation.at(start + (day + 0.7) * DAY, async () => {
      const expiring = chance.happens(0.6)
      const { data } = await simulation.request<{ data: Link }>('payments', 'POST', '/payment-links', {
        amount: chance.between(20, 90) * 100,
        currency: 'USD',
        description: chance.pick(GOODS),
        ...(expiring && { expires_at: new Date(simulation.now + 14 * DAY).toISOString() }),
      })
      if (!expiring)
        simulation.at(simulation.now + 2 * DAY, () =>
          simulation.request('payments', 'DELETE', `/payment-links/${data.id}`),
        )
    })
  }
  // Twice a month the bank settles the payments received so far.
  for (let day = 15; day < days; day += 15) {
    simulation.at(start + day * DAY + 6 * HOUR, async () => {
      for (const currency of ['USD', 'PAB']) {
        const until = new Date(simulation.now).toISOString()
        const made = await settle({ currency, period_to: until })
        if (made)
          simulation.at(simulation.now + 5 * DAY, () =>
            simulation.trigger('payments.settlement.deposit', { settlement_id: made }),
          )
      }
    })
  }

  /** null if there was nothing to settle. */
  async function settle(body: Readonly<Record<string, unknown>>): Promise<string | null> {
    try {
      return (await simulation.trigger<{ settlement_id: string }>('payments.settlement.create', body))
        .settlement_id
    } catch (error) {
      if (error instanceof Error && / answered 4\d\d/.test(error.message)) return null
      throw error
    }
  }

  function planPayment(index: number): void {
    const share = index / PAYMENTS
    // More payments towards the end, because the company grows.
    const when = start + (2 + (days - 3) * Math.sqrt(share)) * DAY + chance.between(12 * 60, 23 * 60) * 60_000
    const cents = chance.between(15, 900) * 100 + chance.pick([0, 50, 95])
    const fate = chance.next()
    const outcome = fate < 0.09 ? 'failed' : fate < 0.17 ? 'pending' : 'completed'
    const isOfOneLink = chance.happens(0.3)
    simulation.at(when, async () => {
      const link = isOfOneLink
        ? await linkOf(cents)
        : chance.pick(chance.happens(0.8) ? open.slice(-2, -1) : open.slice(-1))
      const { name, email } = chance.pick(contacts).person
      const paid = await simulation.trigger<Paid>('payments.link.pay', {
        link_id: link.id,
        payment_method: chance.pick(METHODS),
        outcome,
        ...(!isOfOneLink && { amount: cents }),
        customer: { name, email },
      })
      const id = paid.transaction_id
      if (outcome === 'pending' && days * DAY + start - when > 12 * DAY) {
        simulation.at(when + 2 * DAY, () =>
          simulation.trigger('payments.transaction.settle', {
            transaction_id: id,
            outcome: chance.happens(0.8) ? 'completed' : 'failed',
          }),
        )
      }
      if (outcome === 'completed' && chance.happens(0.14))
        simulation.at(when + chance.between(1, 9) * DAY, () => refund(id, cents))
    })
  }

  async function linkOf(cents: number): Promise<Link> {
    const { data } = await simulation.request<{ data: Link }>('payments', 'POST', '/payment-links', {
      amount: cents,
      currency: chance.happens(0.85) ? 'USD' : 'PAB',
      description: chance.pick(GOODS),
      payment_methods: [...new Set(METHODS)],
      reference: `F-${String(3000 + Math.floor((simulation.now - start) / HOUR))}`,
    })
    return data
  }

  async function refund(id: string, cents: number): Promise<void> {
    const amount = chance.happens(0.5) ? cents : Math.ceil(cents / 4)
    const { data } = await simulation.request<{ data: { refund_id?: string; id?: string } }>(
      'payments',
      'POST',
      `/transactions/${id}/refund`,
      {
        amount,
        reason: chance.pick(['Damaged on delivery', 'One too many', 'Ordered the wrong colour']),
      },
    )
    const refundId = data.refund_id ?? data.id
    const failed = chance.happens(0.2)
    simulation.at(simulation.now + 9 * DAY, () =>
      simulation.trigger(`payments.refund.${failed ? 'fail' : 'complete'}`, { refund_id: refundId }),
    )
  }
}
