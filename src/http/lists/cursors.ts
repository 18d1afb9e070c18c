/**
 * Opaque cursors. A cursor is the position where a page ended, signed together with the workspace and the
 * query. An altered cursor, or one with other filters or another order, is refused (specification part 1,
 * "The cursor is an opaque string taken from pagination.nextCursor").
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../state/model/refusal.ts'
import type { Position } from '../../state/storage/queries/pageEnds.ts'

export interface Cursors {
  /** `scope` identifies the list, the workspace and the query. */
  seal(position: Position, scope: string): string
  /** Returns the position, or throws a refusal. */
  open(cursor: string, scope: string): Position
}

const SEAL_BYTES = 12

export function cursors(secret: string): Cursors {
  const sealOf = (body: string, scope: string): Buffer =>
    createHmac('sha256', secret).update(`${body}\n${scope}`).digest().subarray(0, SEAL_BYTES)

  return {
    seal(position, scope) {
      const body = JSON.stringify(position)
      return Buffer.concat([sealOf(body, scope), Buffer.from(body)]).toString('base64url')
    },

    open(cursor, scope) {
      const bytes = Buffer.from(cursor, 'base64url')
      const body = bytes.subarray(SEAL_BYTES).toString()
      const isGenuine =
        bytes.length > SEAL_BYTES &&
        // Base64 can encode the same bytes in several ways; only the issued form is accepted.
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, SEAL_BYTES), sealOf(body, scope))
      if (!isGenuine) {
        refuse(
          'invalid_cursor',
          'The cursor was not issued for this query. Send pagination.nextCursor with the same filters, sort and order.',
        )
      }
      return JSON.parse(body) as Position
    },
  }
}
