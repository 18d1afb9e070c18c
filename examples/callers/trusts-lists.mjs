/** Fails "lag": it books a deal again if the list does not show it yet. */
import { correct, start } from './shared.mjs'

await start({
  ...correct,
  async confirm(client, deal, order) {
    if (!(await client.find('/deals', (each) => each.id === deal.id)))
      await client.call('POST', '/deals', order)
  },
})
