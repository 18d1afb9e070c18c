/** The limits of conversations, shared by the schemas and the snapshots (assumed; the specification shows none). */

/** In characters. */
export const LONGEST_MESSAGE = 150_000
export const LONGEST_LABEL = 100
export const LONGEST_GREETING = 2000
export const LONGEST_TEAM_DESCRIPTION = 2000
export const LONGEST_WEBSITE_URL = 2000
export const LONGEST_CONTACT_NAME = 255
export const LONGEST_IDENTIFIER = 255
export const LONGEST_SOURCE_ID = 255
export const LONGEST_CONTENT_TYPE = 50

/** Per conversation. */
export const MAX_LABELS = 100

/** The pattern of stored ids: an integer from 1. */
export const ID_PATTERN = '^[1-9]\\d{0,14}$'

/** E.164 */
export const PHONE = '^\\+[1-9]\\d{1,14}$'
