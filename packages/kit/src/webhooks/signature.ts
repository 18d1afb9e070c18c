/** The signature of deliveries. Specification parts 1 and 2, "Webhook signature". */
import { createHmac } from 'node:crypto'

/** Returns `sha256=` and the hex HMAC-SHA256 of the exact body, with the subscription's secret as the key. */
export const signatureOf = (secret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
