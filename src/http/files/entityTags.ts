/** Compares entity tags of conditional requests (RFC 9110, 8.8.3 and 13.1). */

/** Tags of a list. A comma can be inside a tag. */
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** True if a list of tags has this one by the weak comparison, for If-None-Match. */
export const hasTag = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tagsIn(tags).some((tag) => opaque(tag) === opaque(etag))

/** True if a list of tags has this one by the strong comparison, for If-Match. */
export const hasStrongTag = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tagsIn(tags).some((tag) => isSameStrong(tag, etag))

/** True if both are the same strong tag, for If-Range. */
export const isSameStrong = (one: string, other: string): boolean => one === other && !one.startsWith('W/')

const tagsIn = (tags: string): string[] => tags.match(TAGS) ?? []

const opaque = (tag: string): string => tag.replace(/^W\//, '')
