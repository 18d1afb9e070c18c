/** The shop of the examples: sells two orders by payment links, and looks at them. Passes. */
import { Shop } from '../shop/shop.mjs'

const { SUITE_SIM_PAYMENTS_URL: url, SUITE_SIM_KEY: key } = process.env

const shop = new Shop({ url, key })
for (const order of [
  { amount: 44900, currency: 'USD', description: 'Standing desk' },
  { amount: 12900, currency: 'USD', description: 'Desk lamp' },
]) {
  const { id } = await shop.sell(order)
  console.log(`${order.description}: ${(await shop.isPaid(id)) ? 'paid' : 'open'}`)
}
