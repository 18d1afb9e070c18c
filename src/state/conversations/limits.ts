/**
 * Bounds of the records of conversations, which the wire shapes and the snapshots share. The specification shows none of
 * them: they are assumed.
 */

/** Characters. */
export const LONGEST_MESSAGE = 150_000
export const LONGEST_LABEL = 100
export const LONGEST_GREETING = 2000
export const LONGEST_TEAM_DESCRIPTION = 2000
export const LONGEST_WEBSITE_URL = 2000
export const LONGEST_CONTACT_NAME = 255
export const LONGEST_IDENTIFIER = 255
export const LONGEST_SOURCE_ID = 255
export const LONGEST_CONTENT_TYPE = 50

/** Of one conversation. */
export const MAX_LABELS = 100
