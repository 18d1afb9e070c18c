/** The addresses of forms, and of their pages. */
import type { Workspace } from '../../state/workspace/workspace.ts'

export const BASE_PATH = '/forms'

/** The paths of the pages of forms, and of the same pages for other sites to embed. */
export const PAGES_PATH = '/forms/f'
export const EMBEDDED_PATH = '/forms/embed'

/**
 * Returns the URL for submitting the form. It names the workspace, because copies of a workspace have forms with
 * the same id.
 */
export const submitUrl = (formId: string, { id, publicUrl }: Workspace): string =>
  `${publicUrl}${BASE_PATH}/api/forms/${encodeURIComponent(formId)}/submit?workspace=${encodeURIComponent(id)}`

/** Separates the slug from the workspace; no slug of a form contains it. */
const SEPARATOR = '--'

/** Returns the slug on the wire: that of the form and the id of its workspace. */
export const wireSlug = (slug: string, { id }: Workspace): string => `${slug}${SEPARATOR}${id}`

/** Splits a slug on the wire; null if it names no workspace. */
export function partsOfSlug(wire: string): { readonly slug: string; readonly workspace: string } | null {
  const index = wire.indexOf(SEPARATOR)
  return index < 1 ? null : { slug: wire.slice(0, index), workspace: wire.slice(index + SEPARATOR.length) }
}
