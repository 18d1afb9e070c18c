/**
 * A receiver of payment webhooks without dependencies. `correct.mjs` runs it as it is; each other file replaces one part
 * with a known fault, which `suite-sim exam` names.
 *
 *     PORT=3000 WEBHOOK_SECRET=whsec_exam node correct.mjs
 *     suite-sim exam --receiver http://127.0.0.1:3000/webhooks --observe http://127.0.0.1:3000/processed
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const MINUTE = 60 * 1000
export const DAY = 24 * 60 * MINUTE

const EVENTS = ['payment.completed', 'payment.failed', 'payment.refunded', 'settlement.completed']

const MAX_BODY_BYTES = 1024 * 1024
const MAX_REMEMBERED = 10_000

/** The parts of a receiver. */
export const correct = {
  /** The signature covers the bytes of the body, so it is checked before the body is parsed. */
  isSigned(body, headers, secret) {
    const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
    const received = Buffer.from(headers['x-service-signature'] ?? '')
    return received.length === expected.length && timingSafeEqual(received, expected)
  },

  /** Ignores fields that it does not know. */
  hasFields: ({ id, event, data }) =>
    typeof id === 'string' && typeof event === 'string' && typeof data === 'object' && data !== null,

  /** The last retry of an event can be 30 hours old. Older events are recordings. */
  maxAge: 3 * DAY,

  isKnown: (event) => EVENTS.includes(event),
  statusOfUnknown: 200,

  /** Every attempt of a delivery has the same event id. */
  keyOf: (event) => event.id,

  isRepeated: (key, _headers, state) => state.remembered.has(key),

  remember(key, state) {
    state.remembered.add(key)
    if (state.remembered.size > MAX_REMEMBERED)
      state.remembered.delete(state.remembered.values().next().value)
  },

  /** Keeps the newest event of each record; returns the status. */
  store(event, current) {
    const record = recordOf(event)
    const known = current.get(record)
    if (!known || timeOf(event) >= timeOf(known)) current.set(record, event)
    return 200
  },

  /** Calls `receive` when the delivery can be handled, or `refuse` with a status. */
  schedule(receive, _refuse) {
    receive()
  },
}

/** The time of an event; payments write created_at, most other interfaces createdAt. */
export const timeOf = (event) => Date.parse(event.created_at ?? event.createdAt)

/** The id of the record of an event: that of the first record in its data. */
export function recordOf({ data }) {
  const first = Object.values(data).find((value) => value !== null && typeof value === 'object' && value.id)
  return String(data.id ?? first?.id)
}

/** Starts a receiver with these parts, on the port and with the secret of the environment. */
export function start(parts) {
  const { PORT = '3000', WEBHOOK_SECRET = 'whsec_exam' } = process.env
  const state = { remembered: new Set(), processed: [], current: new Map() }
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const current = [...state.current.values()].map(({ id }) => id)
      send(response, 200, { processed: state.processed, current })
      return
    }
    const chunks = []
    let length = 0
    request.on('data', (chunk) => {
      length += chunk.length
      if (length <= MAX_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (length > MAX_BODY_BYTES) send(response, 413, { error: 'the body is too large' })
      else {
        parts.schedule(
          () => receive(parts, state, WEBHOOK_SECRET, request, body, response),
          (status) => send(response, status, { error: 'too many deliveries' }),
        )
      }
    })
  })
  server.listen(Number(PORT), '127.0.0.1', 511, () => {
    const url = `http://127.0.0.1:${server.address().port}`
    console.log(`Receiver: ${url}/webhooks, what it did: ${url}/processed`)
  })
}

function receive(parts, state, secret, { headers }, body, response) {
  if (!parts.isSigned(body, headers, secret)) {
    send(response, 401, { error: 'the signature is wrong' })
    return
  }
  const event = parse(body)
  if (event === null || !parts.hasFields(event)) {
    send(response, 400, { error: 'the body is not an event' })
    return
  }
  if (!(Date.now() - timeOf(event) <= parts.maxAge)) {
    send(response, 400, { error: 'the event is too old' })
    return
  }
  if (!parts.isKnown(event.event)) {
    send(response, parts.statusOfUnknown, { ignored: event.event })
    return
  }
  const key = parts.keyOf(event, headers)
  if (parts.isRepeated(key, headers, state)) {
    send(response, 200, { repeated: key })
    return
  }
  const status = parts.store(event, state.current)
  if (status < 300) {
    parts.remember(key, state)
    state.processed.push(event.id)
    if (state.processed.length > MAX_REMEMBERED) state.processed.shift()
  }
  send(response, status, { event: event.id })
}

function parse(body) {
  try {
    const value = JSON.parse(body)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
