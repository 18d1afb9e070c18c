/**
 * A client of the CRM without dependencies: it books the orders of a shop as deals, and calls the buyer of each deal when
 * its webhook comes. `correct.mjs` runs it as it is; each other file replaces one part with a known fault, which
 * `suite-sim exam --caller` names.
 *
 *     suite-sim exam --caller --receiver http://127.0.0.1:0/webhooks -- node correct.mjs
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** The orders of the shop. */
const ORDERS = [
  { number: 1042, buyer: 'monica.vargas@example.com', value: 250 },
  { number: 1043, buyer: 'luis.cedeno@example.com', value: 480 },
]

const PIPELINE = 'pipe_demo0000000000000001'
const MAX_ATTEMPTS = 4
const FIRST_PAUSE_MS = 200
const PER_PAGE = 5
const MAX_READS = 5

/** The parts of a client. */
export const correct = {
  /** Longer than a slow answer takes. */
  timeoutMs: 20_000,

  /** The ms until a failed call may be repeated: twice as many each time, or as many as the suite asks for. */
  pauseMs: ({ headers }, attempt) =>
    headers?.has('retry-after')
      ? Number(headers.get('retry-after')) * 1000
      : FIRST_PAUSE_MS * 2 ** (attempt - 1),

  /** Without an answer (status 0), and after these, the call may be repeated. Others say that it was wrong. */
  mayRepeat: ({ status }) => status === 0 || status === 429 || status >= 500,

  /** Whether an answer leaves open if a write was done, so that it looks before it repeats the write. */
  isUnclear: ({ status }) => status === 0 || status >= 500,

  maxAttempts: MAX_ATTEMPTS,

  /** Ignores fields and values that it does not know. */
  checkContact: () => undefined,

  /** Pages have numbers, so that a record can move to another page. It reads again if their number has changed. */
  async contacts(client) {
    for (let read = 1; read <= MAX_READS; read++) {
      const found = []
      const counts = new Set()
      for (let page = 1; ; page++) {
        const { data, meta } = await client.call('GET', `/contacts?page=${page}&per_page=${PER_PAGE}`)
        found.push(...data)
        counts.add(meta.total_count)
        if (page >= meta.total_pages) break
      }
      if (counts.size === 1) return found
    }
    throw new Error('the contacts keep changing')
  },

  /** A new deal may be missing in lists for a while. The answer of the call is enough. */
  confirm: async () => undefined,

  /** A webhook can come before the answer of the call that booked the deal. Then it waits for the answer. */
  async onUnknownDeal(client, deal) {
    client.early.set(deal.id, deal)
  },
}

/** Calls the CRM with a part of its own for each decision. */
class Client {
  /** The deals that were booked, by id, and those whose webhook came first. */
  booked = new Map()
  early = new Map()
  handled = new Map()
  /** The ends of the pauses after a 429, by method and path. */
  closed = new Map()

  constructor(parts, { SUITE_SIM_CRM_URL: url, SUITE_SIM_KEY: key }) {
    this.parts = parts
    this.url = url
    this.key = key
  }

  /** Returns the body of the answer. `find` looks for the record that a write may have made. */
  async call(method, path, body, find) {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(method, path, body)
      if (answer.status >= 200 && answer.status < 300) return answer.body
      if (!this.parts.mayRepeat(answer, attempt) || attempt >= this.parts.maxAttempts)
        throw new Error(`${method} ${path} failed: ${answer.status || 'no answer'}`)
      await pause(this.parts.pauseMs(answer, attempt))
      const found = find && this.parts.isUnclear(answer) ? await find() : undefined
      if (found) return found
    }
  }

  /** Returns the answer; the status is 0 if there is none. After a 429, all calls to a path wait. */
  async send(method, path, body) {
    const kind = `${method} ${path.split('?')[0]}`
    await this.closed.get(kind)
    const answer = await this.sendNow(method, path, body)
    if (answer.status === 429) this.closed.set(kind, pause(this.parts.pauseMs(answer, 1)))
    return answer
  }

  async sendNow(method, path, body) {
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.parts.timeoutMs),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    } catch (error) {
      return { status: 0, isTimeout: error.name === 'TimeoutError' }
    }
  }

  /** Adds a record unless it exists: an answer can get lost after the work. */
  add(list, record, isSame) {
    return this.call('POST', list, record, () => this.find(list, isSame))
  }

  /** The newest records come first. */
  async find(list, isSame) {
    const { data } = await this.call('GET', `${list}?per_page=50`)
    return data.find(isSame)
  }

  async book({ number, buyer, value }, contacts) {
    const contact = contacts.find(({ email }) => email === buyer)
    if (!contact) throw new Error(`there is no contact ${buyer}`)
    const name = `Order ${number}`
    const order = { name, pipeline_id: PIPELINE, contact_id: contact.id, value }
    const deal = await this.add('/deals', order, (each) => each.name === name)
    this.booked.set(deal.id, deal)
    await this.parts.confirm(this, deal, order)
    const early = this.early.get(deal.id)
    if (early) this.handle(early)
  }

  /** Takes the webhook of a deal. */
  async take(deal) {
    if (this.booked.has(deal.id)) this.handle(deal)
    else await this.parts.onUnknownDeal(this, deal)
  }

  /** Plans a call to the buyer of a deal. Webhooks can come twice. */
  handle(deal) {
    const subject = `Call about ${deal.name}`
    const activity = { type: 'call', deal_id: deal.id, subject }
    if (this.handled.has(deal.id)) return
    const done = this.add('/activities', activity, (each) => each.subject === subject)
    // untilHandled gets the error.
    done.catch(() => undefined)
    this.handled.set(deal.id, done)
  }

  /** Waits until the webhooks of all deals were handled. */
  async untilHandled() {
    for (let waited = 0; waited < 3000 && this.handled.size < this.booked.size; waited += 10) await pause(10)
    if (this.handled.size < this.booked.size) throw new Error('the webhook of a deal is missing')
    await Promise.all(this.handled.values())
  }
}

const isSigned = (body, headers, secret) => {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const received = Buffer.from(headers['x-service-signature'] ?? '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}

/** Takes the webhooks of new deals; returns a function that ends it. */
async function listen(client, receiver, secret) {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (!isSigned(body, request.headers, secret)) {
      response.writeHead(401).end()
      return
    }
    const { event, data } = JSON.parse(body)
    if (event === 'deal.created') await client.take(data.deal)
    response.writeHead(200).end()
  })
  await new Promise((resolve) => server.listen(Number(new URL(receiver).port), '127.0.0.1', resolve))
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** Books the orders; ends with 1 and the reason if that fails. */
export async function start(parts) {
  const { SUITE_SIM_RECEIVER: receiver, SUITE_SIM_WEBHOOK_SECRET: secret } = process.env
  const client = new Client(parts, process.env)
  const close = receiver && (await listen(client, receiver, secret))
  try {
    const contacts = await parts.contacts(client)
    contacts.forEach(parts.checkContact)
    for (const order of ORDERS) await client.book(order, contacts)
    if (close) await client.untilHandled()
    const { data } = await client.call('GET', '/deals?per_page=50')
    console.log(`${client.booked.size} orders are booked; the CRM shows ${data.length} deals`)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  } finally {
    close?.()
  }
}
