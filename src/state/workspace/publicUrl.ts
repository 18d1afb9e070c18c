/** The base URL of links in responses, without a slash at the end. */
import { AsyncLocalStorage } from 'node:async_hooks'

export class PublicUrl {
  #configured = 'http://127.0.0.1:4012'
  readonly #ofRequest = new AsyncLocalStorage<string>()

  /** The configured URL, or that of the current request. */
  get current(): string {
    return this.#ofRequest.getStore() ?? this.#configured
  }

  configure(url: string): void {
    this.#configured = url
  }

  /** Handles a request with `origin` as the base URL of links. */
  during(origin: string, answer: () => void): void {
    this.#ofRequest.run(origin, answer)
  }
}
