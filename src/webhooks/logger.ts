/** As much of a logger as is used; neither secrets nor bodies are logged. */
export interface WebhooksLogger {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
