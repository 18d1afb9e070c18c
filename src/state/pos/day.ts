/**
 * Generates the events of one business day: sales with payments, returns, stock changes, and the closing of the register with
 * the matching cash amount. The `seed` determines all random choices.
 */
import { iso, LAST_INSTANT } from '../model/clock.ts'
import type { AppendedEvent, Workspace } from '../workspace/workspace.ts'
import { findPosEvent, appendPosEvent, type CheckPayload, type PosEventName } from './events.ts'
import {
  ARTICLES,
  hasNoDecimals,
  productIdOf,
  TAX_PERCENT,
  type Article,
  type SampleSource,
} from './samples.ts'
import { shopOf } from './shop.ts'

/** The maximum number of sales in one call. */
export const MAX_SALES = 100
export const DEFAULT_SALES = 20

const MINUTE = 60_000
/** The time from the opening to the closing of the register. */
const OPEN_FOR = 9 * 60 * MINUTE

const INITIAL_STOCK = 40
const LOW_STOCK = 5
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
  readonly #opensAt: number
  readonly #sales: number
  #cashCents = OPENING_CENTS

  constructor(workspace: Workspace, sales: number, seed: string, checkPayload: CheckPayload | undefined) {
    this.#workspace = workspace
    this.#shop = shopOf(workspace)
    this.#checkPayload = checkPayload
    const { articles = [] } = this.#shop
    this.#articles = articles.length > 0 ? articles : ARTICLES
    this.#random = createRandom(seed)
    this.#sales = sales
    this.#opensAt = Math.min(workspace.now(), LAST_INSTANT) - OPEN_FOR
  }

  run(): void {
    for (let count = 0; count < this.#sales; count++) {
      const at = this.#opensAt + Math.floor(((count + 1) * (OPEN_FOR - 30 * MINUTE)) / (this.#sales + 1))
      const sale = this.#sell(at)
      if (this.#random() < 0.3) this.#enroll(sale, at + MINUTE)
      if (this.#random() < 0.1) this.#returnSale(sale, at + 2 * MINUTE)
    }
    this.#close()
  }

  #emit(name: PosEventName, data: Readonly<Record<string, unknown>>): void {
    const event = findPosEvent(name)
    if (event) this.#checkPayload?.(event, data)
    this.events.push(appendPosEvent(this.#workspace, name, data))
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

  #sell(at: number): Sale {
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
      lines,
      items,
    }
    const payment = { id: this.#newId('payment'), method, amount: this.#money(cents) }
    const { currency } = this.#shop
    this.#emit('sale.completed', {
      id: sale.id,
      number: sale.number,
      total: this.#money(cents),
      status: 'completed',
      currency,
      subtotal: this.#money(subtotal),
      taxTotal: this.#money(tax),
      customerId: this.#random() < 0.5 ? null : this.#sharedId('customer'),
      branchId: this.#sharedId('branch'),
      userId: this.#sharedId('user'),
      items,
      payments: [payment],
      createdAt: iso(at - 2 * MINUTE),
      completedAt: iso(at),
    })
    this.#emit('payment.recorded', {
      ...payment,
      saleId: sale.id,
      saleNumber: sale.number,
      currency,
      reference: method === 'card' ? `Terminal 2, ${sale.number}` : null,
      recordedAt: iso(at),
    })
    if (method === 'cash') this.#cashCents += cents
    for (const { article, quantity } of lines) this.#moveStock(article, -quantity, 'sale', at)
    return sale
  }

  #enroll(sale: Sale, at: number): void {
    const count = this.#shop.ids.integer('pos.invoice.number')
    const digits = String(count)
    const day = iso(at).slice(0, 10).replaceAll('-', '')
    this.#emit('invoice.enrolled', {
      id: this.#newId('invoice'),
      number: `F-${digits.padStart(6, '0')}`,
      cufe: `FE0120000155000000-2-2020-59${day}`.padEnd(66 - digits.length, '0') + digits,
      saleId: sale.id,
      customerId: this.#sharedId('customer'),
      currency: this.#shop.currency,
      total: this.#money(sale.cents),
      enrolledAt: iso(at),
    })
  }

  /** Returns and refunds a whole sale. */
  #returnSale(sale: Sale, at: number): void {
    this.#emit('return.completed', {
      id: this.#newId('return'),
      number: this.#nextNumber('return', 'D'),
      saleId: sale.id,
      saleNumber: sale.number,
      currency: this.#shop.currency,
      total: this.#money(sale.cents),
      reason: 'Damaged',
      branchId: this.#sharedId('branch'),
      items: sale.items,
      completedAt: iso(at),
    })
    if (sale.method === 'cash') this.#cashCents -= sale.cents
    for (const { article, quantity } of sale.lines) this.#moveStock(article, quantity, 'return', at)
  }

  #moveStock(article: Article, by: number, reason: 'sale' | 'return' | 'purchase', at: number): void {
    const productId = productIdOf(this.#shop, article)
    const before = this.#stock.get(productId) ?? INITIAL_STOCK
    // Restocks an article that is sold out, so that the quantity never gets negative.
    if (before + by < 0) {
      this.#moveStock(article, INITIAL_STOCK, 'purchase', at)
      this.#moveStock(article, by, reason, at)
      return
    }
    const quantity = before + by
    this.#stock.set(productId, quantity)
    const stock = {
      productId,
      variantId: null,
      branchId: this.#sharedId('branch'),
      sku: article.sku,
      quantity,
    }
    this.#emit('stock.updated', { ...stock, previousQuantity: before, reason, updatedAt: iso(at) })
    if (by < 0 && before >= LOW_STOCK && quantity < LOW_STOCK) {
      this.#emit('stock.low', { ...stock, threshold: LOW_STOCK, detectedAt: iso(at) })
    }
  }

  #close(): void {
    // In about a third of the days, the drawer is slightly short.
    const missing = this.#random() < 0.7 ? 0 : Math.min(this.#cashCents, 50)
    this.#emit('cash_session.closed', {
      id: this.#newId('cash_session'),
      branchId: this.#sharedId('branch'),
      userId: this.#sharedId('user'),
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

export interface DayOptions {
  readonly sales?: number | undefined
  readonly seed?: string | number | undefined
}

/** Appends the events of a business day that ends now. Returns them in their order. */
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
