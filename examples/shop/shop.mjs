/** What the examples test: a shop that sells by payment links. Nothing in it knows of the simulator. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const MAX_ATTEMPTS = 4
const FIRST_PAUSE_MS = 200

export class Shop {
  #url
  #headers

  /** Where the payments interface is, "https://suite.example.com/pay/v1", and the key to call it with. */
  constructor({ url, key }) {
    this.#url = url
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  /** The payment link of an order, for its customer to pay; `amount` is in cents. */
  sell({ reference = randomUUID(), ...order }) {
    const body = JSON.stringify({ reference, ...order })
    return this.#call('/payment-links', { method: 'POST', body }, () => this.#linkOf(reference))
  }

  async isPaid(linkId) {
    const { status } = await this.#call(`/payment-links/${linkId}`)
    return status === 'paid'
  }

  /** The newest links come first. */
  async #linkOf(reference) {
    const links = await this.#call('/payment-links')
    return links.find((link) => link.reference === reference)
  }

  /**
   * Tries again where the suite is overloaded or out of order. `find` looks for what a call has made whose answer was lost,
   * so that nothing is made twice.
   */
  async #call(path, options = {}, find = async () => undefined, attempt = 1) {
    const response = await fetch(this.#url + path, { ...options, headers: this.#headers }).catch((error) => {
      if (attempt === MAX_ATTEMPTS) throw error
    })
    const isUnclear = !response || response.status >= 500
    if (attempt < MAX_ATTEMPTS && (isUnclear || response.status === 429)) {
      const asked = Number(response?.headers.get('retry-after') ?? 0) * 1000
      await pause(asked || FIRST_PAUSE_MS * 2 ** (attempt - 1))
      const found = isUnclear ? await find() : undefined
      return found ?? this.#call(path, options, find, attempt + 1)
    }
    const body = await response.json()
    if (!response.ok) throw new Error(body.message)
    return body.data
  }
}
