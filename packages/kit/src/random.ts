/** The only file that draws random bytes. */
import { randomBytes } from 'node:crypto'

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)

/** Returns random bytes from a pool, because each call of the operating system costs as much as a small query. */
export function systemBytes(length: number): Buffer {
  if (length > POOL_BYTES) return randomBytes(length)
  if (pool.length < length) pool = randomBytes(POOL_BYTES)
  const drawn = pool.subarray(0, length)
  pool = pool.subarray(length)
  return drawn
}

/** Returns 32 unpredictable characters, also with a seed. */
export const randomToken = (): string => systemBytes(24).toString('base64url')
