/**
 * A whole day of the shop, event by event, in the order in which it goes by: the register is opened, things are sold and
 * paid for, some come back, stocks fall, and the register is closed with what all of that left in its drawer. Nothing in it
 * is left to chance but by `seed`.
 */
import { iso, LAST_INSTANT } from '../clock.ts'
import type { AppendedEvent, Workspace } from '../workspace.ts'
import { posEvent, tellOf, type MustFit, type PosEventName } from './events.ts'
import {
  ARTICLES,
  hasNoDecimals,
  productIdOf,
  TAX_PERCENT,
  type Article,
  type SampleSource,
} from './samples.ts'
import { shopOf } from './shop.ts'

/** Sales of a day: so many are told of in one call. */
export const MAX_SALES = 100
export const USUAL_SALES = 20

const MINUTE = 60_000
/** From the opening to the closing of the register. */
const OPEN_FOR = 9 * 60 * MINUTE

const STOCK_AT_FIRST = 40
const LOW_STOCK = 5
const OPENING_CENTS = 10_000

/** Numbers from 0 to below 1 that follow from the seed alone (mulberry32 over an FNV-1a hash of it). */
function chances(seed: string): () => number {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Sold {
  readonly id: string
  readonly number: string
  readonly cents: number
  readonly method: 'cash' | 'card'
  readonly lines: readonly { readonly of: Article; readonly quantity: number }[]
  readonly items: readonly object[]
}

class Day {
  readonly told: AppendedEvent[] = []
  readonly #workspace: Workspace
  readonly #shop: SampleSource
  readonly #mustFit: MustFit | undefined
  readonly #articles: readonly Article[]
  readonly #chance: () => number
  readonly #stock = new Map<string, number>()
  readonly #opensAt: number
  readonly #sales: number
  #cashCents = OPENING_CENTS

  constructor(workspace: Workspace, sales: number, seed: string, mustFit: MustFit | undefined) {
    this.#workspace = workspace
    this.#shop = shopOf(workspace)
    this.#mustFit = mustFit
    const { articles = [] } = this.#shop
    this.#articles = articles.length > 0 ? articles : ARTICLES
    this.#chance = chances(seed)
    this.#sales = sales
    this.#opensAt = Math.min(workspace.now(), LAST_INSTANT) - OPEN_FOR
  }

  run(): void {
    for (let count = 0; count < this.#sales; count++) {
      const at = this.#opensAt + Math.floor(((count + 1) * (OPEN_FOR - 30 * MINUTE)) / (this.#sales + 1))
      const sold = this.#sell(at)
      if (this.#chance() < 0.3) this.#enroll(sold, at + MINUTE)
      if (this.#chance() < 0.1) this.#takeBack(sold, at + 2 * MINUTE)
    }
    this.#close()
  }

  #tell(name: PosEventName, data: Readonly<Record<string, unknown>>): void {
    const event = posEvent(name)
    if (event) this.#mustFit?.(event, data)
    this.told.push(tellOf(this.#workspace, name, data))
  }

  #money(cents: number): number {
    return hasNoDecimals(this.#shop.currency) ? cents : cents / 100
  }

  #id(record: string): string {
    return this.#shop.ids.cuid2(`pos.${record}`)
  }

  #the(record: string): string {
    return this.#shop.ids.fixed(`pos.${record}`)
  }

  #number(record: string, prefix: string): string {
    return `${prefix}-${String(this.#shop.ids.integer(`pos.${record}.number`)).padStart(6, '0')}`
  }

  #pick(): Article {
    const [first] = this.#articles
    const picked = this.#articles[Math.floor(this.#chance() * this.#articles.length)] ?? first
    if (!picked) throw new Error('the shop sells nothing')
    return picked
  }

  #sell(at: number): Sold {
    const picked = new Map<Article, number>()
    for (let lines = 1 + Math.floor(this.#chance() * 3); lines > 0; lines--) {
      const of = this.#pick()
      picked.set(of, (picked.get(of) ?? 0) + 1 + Math.floor(this.#chance() * 2))
    }
    const lines = [...picked].map(([of, quantity]) => ({ of, quantity }))
    const items = lines.map(({ of, quantity }) => ({
      productId: productIdOf(this.#shop, of),
      name: of.name,
      quantity,
      unitPrice: this.#money(of.cents),
      taxRate: TAX_PERCENT,
      total: this.#money(of.cents * quantity),
    }))
    const subtotal = lines.reduce((sum, { of, quantity }) => sum + of.cents * quantity, 0)
    const tax = Math.round((subtotal * TAX_PERCENT) / 100)
    const cents = subtotal + tax
    const method = this.#chance() < 0.4 ? 'cash' : 'card'
    const sold: Sold = {
      id: this.#id('sale'),
      number: this.#number('sale', 'V'),
      cents,
      method,
      lines,
      items,
    }
    const payment = { id: this.#id('payment'), method, amount: this.#money(cents) }
    const { currency } = this.#shop
    this.#tell('sale.completed', {
      id: sold.id,
      number: sold.number,
      total: this.#money(cents),
      status: 'completed',
      currency,
      subtotal: this.#money(subtotal),
      taxTotal: this.#money(tax),
      customerId: this.#chance() < 0.5 ? null : this.#the('customer'),
      branchId: this.#the('branch'),
      userId: this.#the('user'),
      items,
      payments: [payment],
      createdAt: iso(at - 2 * MINUTE),
      completedAt: iso(at),
    })
    this.#tell('payment.recorded', {
      ...payment,
      saleId: sold.id,
      saleNumber: sold.number,
      currency,
      reference: method === 'card' ? `Terminal 2, ${sold.number}` : null,
      recordedAt: iso(at),
    })
    if (method === 'cash') this.#cashCents += cents
    for (const { of, quantity } of lines) this.#move(of, -quantity, 'sale', at)
    return sold
  }

  #enroll(sold: Sold, at: number): void {
    const count = this.#shop.ids.integer('pos.invoice.number')
    const digits = String(count)
    const day = iso(at).slice(0, 10).replaceAll('-', '')
    this.#tell('invoice.enrolled', {
      id: this.#id('invoice'),
      number: `F-${digits.padStart(6, '0')}`,
      cufe: `FE0120000155000000-2-2020-59${day}`.padEnd(66 - digits.length, '0') + digits,
      saleId: sold.id,
      customerId: this.#the('customer'),
      currency: this.#shop.currency,
      total: this.#money(sold.cents),
      enrolledAt: iso(at),
    })
  }

  /** All of a sale comes back, and its money with it. */
  #takeBack(sold: Sold, at: number): void {
    this.#tell('return.completed', {
      id: this.#id('return'),
      number: this.#number('return', 'D'),
      saleId: sold.id,
      saleNumber: sold.number,
      currency: this.#shop.currency,
      total: this.#money(sold.cents),
      reason: 'Damaged',
      branchId: this.#the('branch'),
      items: sold.items,
      completedAt: iso(at),
    })
    if (sold.method === 'cash') this.#cashCents -= sold.cents
    for (const { of, quantity } of sold.lines) this.#move(of, quantity, 'return', at)
  }

  #move(of: Article, by: number, reason: 'sale' | 'return' | 'purchase', at: number): void {
    const productId = productIdOf(this.#shop, of)
    const before = this.#stock.get(productId) ?? STOCK_AT_FIRST
    // What is sold out is put on the shelf again first.
    if (before + by < 0) {
      this.#move(of, STOCK_AT_FIRST, 'purchase', at)
      this.#move(of, by, reason, at)
      return
    }
    const quantity = before + by
    this.#stock.set(productId, quantity)
    const told = { productId, variantId: null, branchId: this.#the('branch'), sku: of.sku, quantity }
    this.#tell('stock.updated', { ...told, previousQuantity: before, reason, updatedAt: iso(at) })
    if (by < 0 && before >= LOW_STOCK && quantity < LOW_STOCK) {
      this.#tell('stock.low', { ...told, threshold: LOW_STOCK, detectedAt: iso(at) })
    }
  }

  #close(): void {
    // Most drawers are right, some are short of a little.
    const missing = this.#chance() < 0.7 ? 0 : Math.min(this.#cashCents, 50)
    this.#tell('cash_session.closed', {
      id: this.#id('cash_session'),
      branchId: this.#the('branch'),
      userId: this.#the('user'),
      currency: this.#shop.currency,
      openingAmount: this.#money(OPENING_CENTS),
      expectedAmount: this.#money(this.#cashCents),
      countedAmount: this.#money(this.#cashCents - missing),
      difference: missing === 0 ? 0 : this.#money(-missing),
      openedAt: iso(this.#opensAt),
      closedAt: iso(this.#opensAt + OPEN_FOR),
    })
  }
}

export interface WantedDay {
  readonly sales?: number | undefined
  readonly seed?: string | number | undefined
}

/** Has a day of the shop go by, which ends now; answers with its events in their order. */
export function runDay(
  workspace: Workspace,
  { sales = USUAL_SALES, seed }: WantedDay,
  mustFit?: MustFit,
): readonly AppendedEvent[] {
  return workspace.write(() => {
    const day = new Day(workspace, sales, String(seed ?? workspace.ids.chance('pos.day')), mustFit)
    day.run()
    return day.told
  })
}
