/** Fails "early_webhook": it drops the webhook of a deal that it does not know after a moment. */
import { setTimeout as pause } from 'node:timers/promises'
import { correct, start } from './shared.mjs'

const MOMENT_MS = 1500

await start({
  ...correct,
  async onUnknownDeal(client, deal) {
    for (let waited = 0; waited < MOMENT_MS && !client.booked.has(deal.id); waited += 20) await pause(20)
    if (client.booked.has(deal.id)) client.handle(deal)
  },
})
