/** What addresses of pages are made of: a title in small letters, digits and hyphens. */
import { fold } from './collation.ts'
import type { Workspace } from './workspace.ts'

const LONGEST_SLUG = 80

/** Of a slug in a snapshot, which may have been written by hand. */
export const SLUG_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$'

/** Titles that are alike beyond this get an ending that nobody counts. */
const COUNTED_SLUGS = 9

/** "senior-accountant", "senior-accountant-2": made of the title, or of `otherwise` where it has no letters. */
export function freeSlug(
  workspace: Workspace,
  title: string,
  otherwise: string,
  isFree: (slug: string) => boolean,
): string {
  const words = fold(title)
    .slice(0, 4 * LONGEST_SLUG)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-/, '')
    .replace(/-$/, '')
  const slug = words === '' ? otherwise : words
  if (isFree(slug)) return slug
  for (let number = 2; number <= COUNTED_SLUGS; number += 1) {
    if (isFree(`${slug}-${String(number)}`)) return `${slug}-${String(number)}`
  }
  return `${slug}-${workspace.ids.cuid2('slug')}`
}
