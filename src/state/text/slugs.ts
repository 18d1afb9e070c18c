/** Slugs in page URLs: a title in lower-case letters, digits and hyphens. */
import { fold } from '@suite-sim/kit/text/collation'
import type { Workspace } from '../workspace/workspace.ts'

const MAX_SLUG_LENGTH = 80

/** The pattern of slugs in snapshots, which can be written by hand. */
export const SLUG_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$'

/** More equal titles get a random suffix instead of a number. */
const MAX_SLUG_NUMBER = 9

/**
 * Returns a free slug, such as "senior-accountant" or "senior-accountant-2"; starts with `fallback` if the title has
 * no letters or digits.
 */
export function createSlug(
  workspace: Workspace,
  title: string,
  fallback: string,
  isFree: (slug: string) => boolean,
): string {
  const words = fold(title)
    .slice(0, 4 * MAX_SLUG_LENGTH)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-/, '')
    .replace(/-$/, '')
  const slug = words === '' ? fallback : words
  if (isFree(slug)) return slug
  for (let number = 2; number <= MAX_SLUG_NUMBER; number += 1) {
    if (isFree(`${slug}-${String(number)}`)) return `${slug}-${String(number)}`
  }
  return `${slug}-${workspace.ids.cuid2('slug')}`
}
