/** What the examples test: a shop that sells by payment links. Nothing in it knows of the simulator. */

export class Shop {
  #url
  #headers

  /** Where the payments interface is, "https://suite.example.com/pay/v1", and the key to call it with. */
  constructor({ url, key }) {
    this.#url = url
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  /** The payment link of an order, for its customer to pay; `amount` is in cents. */
  sell({ amount, currency, description, ...more }) {
    const body = JSON.stringify({ amount, currency, description, ...more })
    return this.#call('/payment-links', { method: 'POST', body })
  }

  async isPaid(linkId) {
    const { status } = await this.#call(`/payment-links/${linkId}`)
    return status === 'paid'
  }

  /** Tries three times where the suite is overloaded or out of order. */
  async #call(path, options = {}, attempt = 1) {
    const response = await fetch(this.#url + path, { ...options, headers: this.#headers })
    if (attempt < 3 && [429, 503].includes(response.status)) return this.#call(path, options, attempt + 1)
    const body = await response.json()
    if (!response.ok) throw new Error(body.message)
    return body.data
  }
}
