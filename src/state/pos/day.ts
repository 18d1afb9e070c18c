/**
 * Generates the events of one business day: sales with payments, returns, stock changes, and the closing of the register with
 * the matching cash amount. The `seed` determines all random choices. Each event has its own moment, because receivers
 * compare the times of events.
 */
import { FIRST_INSTANT, iso, LAST_INSTANT } from '@suite-sim/kit/time/instants'
import { refuse } from '../model/refusal.ts'
import { DAY, instantOfWall, wallAt } from '@suite-sim/kit/time/wallTime'
import { cufeOf } from '../shared/cufe.ts'
import type { AppendedEvent, Workspace } from '../workspace/workspace.ts'
import { appendPosEvent, getPosEvent, type CheckPayload, type PosEventName } from './events.ts'
import {
  ARTICLES,
  hasNoDecimals,
  INITIAL_STOCK,
  LOW_STOCK,
  productIdOf,
  TAX_PERCENT,
  type Article,
  type SampleSource,
} from './samples.ts'
import { lastMomentOf, shopOf } from './shop.ts'

/** The maximum number of sales in one call. */
export const MAX_SALES = 100
export const DEFAULT_SALES = 20

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The hours at which the shop opens and closes, in the time zone of the workspace. */
export const OPENING_HOURS = [9, 18] as const

/** When the register opens and closes. */
interface Hours {
  readonly opensAt: number
  readonly closesAt: number
}

/**
 * Returns the hours of the last day that has ended on the clock of the workspace. If the register was closed or a stock
 * changed after its opening, returns those of the next day after that, which may lie in the future of the clock: the times of
 * events would otherwise contradict their order.
 */
function hoursOf(workspace: Workspace): Hours {
  const { timezone } = workspace
  const now = workspace.now()
  const [opens, closes] = OPENING_HOURS.map((hour) => hour * 60 * MINUTE) as [number, number]
  const dayOf = (instant: number): number => Math.floor(wallAt(instant, timezone) / DAY) * DAY
  const at = (wall: number): number => instantOfWall(wall, timezone)
  const after =
    lastMomentOf(workspace, ['cash_session.closed', 'stock.updated', 'stock.low']) ?? FIRST_INSTANT
  const lastEnded = at(dayOf(now) + closes) <= now ? dayOf(now) : dayOf(now) - DAY
  let day = Math.max(lastEnded, dayOf(after))
  while (at(day + opens) <= after) day += DAY
  const hours = { opensAt: at(day + opens), closesAt: at(day + closes) }
  if (hours.closesAt > LAST_INSTANT) {
    refuse('conflict', `The shop has no business day after ${iso(after)}, because the calendar ends.`)
  }
  return hours
}

const OPENING_CENTS = 10_000

/** Creates a random number generator, from 0 to below 1, that depends only on the seed (mulberry32 over its FNV-1a hash). */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Sale {
  readonly id: string
  readonly number: string
  readonly cents: number
  readonly method: 'cash' | 'card'
  readonly customerId: string | null
  readonly lines: readonly { readonly article: Article; readonly quantity: number }[]
  readonly items: readonly object[]
}

class Day {
  readonly events: AppendedEvent[] = []
  readonly #workspace: Workspace
  readonly #shop: SampleSource
  readonly #checkPayload: CheckPayload | undefined
  readonly #articles: readonly Article[]
  readonly #random: () => number
  readonly #stock = new Map<string, number>()
  readonly #hours: Hours
  readonly #sales: number
  /** The moment of the next event. */
  #moment: number
  #cashCents = OPENING_CENTS

  constructor(workspace: Workspace, sales: number, seed: string, checkPayload: CheckPayload | undefined) {
    this.#workspace = workspace
    this.#shop = shopOf(workspace)
    this.#checkPayload = checkPayload
    const { articles = [] } = this.#shop
    this.#articles = articles.length > 0 ? articles : ARTICLES
    this.#random = createRandom(seed)
    this.#sales = sales
    this.#hours = hoursOf(workspace)
    this.#moment = this.#hours.opensAt
  }

  run(): void {
    const { opensAt, closesAt } = this.#hours
    for (let count = 0; count < this.#sales; count++) {
      const at = opensAt + Math.floor(((count + 1) * (closesAt - opensAt - 30 * MINUTE)) / (this.#sales + 1))
      this.#moment = at
      const sale = this.#sell()
      if (this.#random() < 0.3) this.#enroll(sale, at + MINUTE)
      if (this.#random() < 0.1) this.#returnSale(sale, at + 2 * MINUTE)
    }
    this.#moment = closesAt
    this.#close()
  }

  /** Appends an event of the current moment, and moves on. */
  #emit(name: PosEventName, dataAt: (at: string) => Readonly<Record<string, unknown>>): void {
    const event = getPosEvent(name)
    const data = dataAt(iso(this.#moment))
    this.#checkPayload?.(event, data)
    this.events.push(appendPosEvent(this.#workspace, event, data, this.#moment))
    this.#moment += SECOND
  }

  #money(cents: number): number {
    return hasNoDecimals(this.#shop.currency) ? cents : cents / 100
  }

  #newId(record: string): string {
    return this.#shop.ids.cuid2(`pos.${record}`)
  }

  #sharedId(record: string): string {
    return this.#shop.ids.fixed(`pos.${record}`)
  }

  #nextNumber(record: string, prefix: string): string {
    return `${prefix}-${String(this.#shop.ids.integer(`pos.${record}.number`)).padStart(6, '0')}`
  }

  #pick(): Article {
    const [first] = this.#articles
    const picked = this.#articles[Math.floor(this.#random() * this.#articles.length)] ?? first
    if (!picked) throw new Error('the shop sells nothing')
    return picked
  }

  #sell(): Sale {
    const picked = new Map<Article, number>()
    for (let lines = 1 + Math.floor(this.#random() * 3); lines > 0; lines--) {
      const article = this.#pick()
      picked.set(article, (picked.get(article) ?? 0) + 1 + Math.floor(this.#random() * 2))
    }
    const lines = [...picked].map(([article, quantity]) => ({ article, quantity }))
    const items = lines.map(({ article, quantity }) => ({
      productId: productIdOf(this.#shop, article),
      name: article.name,
      quantity,
      unitPrice: this.#money(article.cents),
      taxRate: TAX_PERCENT,
      total: this.#money(article.cents * quantity),
    }))
    const subtotal = lines.reduce((sum, { article, quantity }) => sum + article.cents * quantity, 0)
    const tax = Math.round((subtotal * TAX_PERCENT) / 100)
    const cents = subtotal + tax
    const method = this.#random() < 0.4 ? 'cash' : 'card'
    const sale: Sale = {
      id: this.#newId('sale'),
      number: this.#nextNumber('sale', 'V'),
      cents,
      method,
      customerId: this.#random() < 0.5 ? null : this.#sharedId('customer'),
      lines,
      items,
    }
    const payment = { id: this.#newId('payment'), method, amount: this.#money(cents) }
    const { currency } = this.#shop
    const createdAt = iso(this.#moment - 2 * MINUTE)
    this.#emit('sale.completed', (completedAt) => ({
      id: sale.id,
      number: sale.number,
      total: this.#money(cents),
      status: 'completed',
      currency,
      subtotal: this.#money(subtotal),
      taxTotal: this.#money(tax),
      customerId: sale.customerId,
      branchId: this.#sharedId('branch'),
      userId: this.#sharedId('user'),
      items,
      payments: [payment],
      createdAt,
      completedAt,
    }))
    this.#emit('payment.recorded', (recordedAt) => ({
      ...payment,
      saleId: sale.id,
      saleNumber: sale.number,
      currency,
      reference: method === 'card' ? `Terminal 2, ${sale.number}` : null,
      recordedAt,
    }))
    if (method === 'cash') this.#cashCents += cents
    for (const { article, quantity } of lines) this.#moveStock(article, -quantity, 'sale')
    return sale
  }

  #enroll(sale: Sale, at: number): void {
    const number = this.#shop.ids.integer('pos.invoice.number')
    const branchId = this.#sharedId('branch')
    this.#moment = at
    this.#emit('invoice.enrolled', (enrolledAt) => ({
      id: this.#newId('invoice'),
      number: `F-${String(number).padStart(6, '0')}`,
      cufe: cufeOf({ branchId, number, issuedAt: at, chance: this.#random() }),
      saleId: sale.id,
      customerId: sale.customerId,
      currency: this.#shop.currency,
      total: this.#money(sale.cents),
      enrolledAt,
    }))
  }

  /** Returns and refunds a whole sale. */
  #returnSale(sale: Sale, at: number): void {
    this.#moment = at
    this.#emit('return.completed', (completedAt) => ({
      id: this.#newId('return'),
      number: this.#nextNumber('return', 'D'),
      saleId: sale.id,
      saleNumber: sale.number,
      currency: this.#shop.currency,
      total: this.#money(sale.cents),
      reason: 'Damaged',
      branchId: this.#sharedId('branch'),
      items: sale.items,
      completedAt,
    }))
    if (sale.method === 'cash') this.#cashCents -= sale.cents
    for (const { article, quantity } of sale.lines) this.#moveStock(article, quantity, 'return')
  }

  #moveStock(article: Article, by: number, reason: 'sale' | 'return' | 'purchase'): void {
    const productId = productIdOf(this.#shop, article)
    const branchId = this.#sharedId('branch')
    const before = this.#stock.get(productId) ?? this.#shop.stockOf?.(productId, branchId) ?? INITIAL_STOCK
    const quantity = before + by
    // Restocks an article that is sold out, so that the quantity never gets negative.
    if (by < 0 && quantity < 0) {
      this.#moveStock(article, INITIAL_STOCK - before, 'purchase')
      this.#moveStock(article, by, reason)
      return
    }
    this.#stock.set(productId, quantity)
    const stock = { productId, variantId: null, branchId, sku: article.sku, quantity }
    this.#emit('stock.updated', (updatedAt) => ({ ...stock, previousQuantity: before, reason, updatedAt }))
    if (by < 0 && before >= LOW_STOCK && quantity < LOW_STOCK) {
      this.#emit('stock.low', (detectedAt) => ({ ...stock, threshold: LOW_STOCK, detectedAt }))
    }
  }

  #close(): void {
    // In about a third of the days, the drawer is slightly short.
    const missing = this.#random() < 0.7 ? 0 : Math.min(this.#cashCents, 50)
    this.#emit('cash_session.closed', (closedAt) => ({
      id: this.#newId('cash_session'),
      branchId: this.#sharedId('branch'),
      userId: this.#sharedId('user'),
      currency: this.#shop.currency,
      openingAmount: this.#money(OPENING_CENTS),
      expectedAmount: this.#money(this.#cashCents),
      countedAmount: this.#money(this.#cashCents - missing),
      difference: missing === 0 ? 0 : this.#money(-missing),
      openedAt: iso(this.#hours.opensAt),
      closedAt,
    }))
  }
}

export interface DayOptions {
  readonly sales?: number | undefined
  readonly seed?: string | number | undefined
}

/** Appends the events of a business day. Returns them in their order. */
export function runDay(
  workspace: Workspace,
  { sales = DEFAULT_SALES, seed }: DayOptions,
  checkPayload?: CheckPayload,
): readonly AppendedEvent[] {
  return workspace.write(() => {
    const day = new Day(workspace, sales, String(seed ?? workspace.ids.chance('pos.day')), checkPayload)
    day.run()
    return day.events
  })
}
