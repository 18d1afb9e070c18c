/** The part of a logger that is used. Secrets and bodies are never logged. */
export interface WebhooksLogger {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
