/** Fails "moving_pages": it reads each page once, and misses what moves to an earlier page. */
import { correct, start } from './shared.mjs'

await start({
  ...correct,
  async contacts(client) {
    const found = []
    for (let page = 1; ; page++) {
      const { data, meta } = await client.call('GET', `/contacts?page=${page}&per_page=5`)
      found.push(...data)
      if (page >= meta.total_pages) return found
    }
  },
})
