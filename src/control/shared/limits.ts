/** Maximum characters of the path or URL of a snapshot. */
export const MAX_SOURCE_LENGTH = 2000
