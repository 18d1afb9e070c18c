/** How a receiver knows who sent a delivery. Specification parts 1 and 2, "Webhook signature". */
import { createHmac } from 'node:crypto'

/** `sha256=` and the hex HMAC-SHA256 of the exact body, keyed with the subscription's secret. */
export const signatureOf = (secret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
