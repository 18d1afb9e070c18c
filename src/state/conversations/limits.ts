/** The limits of conversations, shared by the schemas and the snapshots (assumed; the specification shows none). */

/** In characters. */
export const LONGEST_MESSAGE = 150_000
export const LONGEST_LABEL = 100

/** Per conversation. */
export const MAX_LABELS = 100

/** The pattern of stored ids: an integer from 1. */
export const ID_PATTERN = '^[1-9]\\d{0,14}$'

/** E.164 */
export const PHONE = '^\\+[1-9]\\d{1,14}$'
