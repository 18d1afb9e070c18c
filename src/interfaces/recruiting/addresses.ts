/** The addresses of pages of recruiting and of candidates. */
import type { Workspace } from '../../state/workspace/workspace.ts'

const BASE_PATH = '/recruiting/v1'

/** The path of the pages of vacancies. */
export const PAGES_PATH = '/recruiting/jobs'

export const pageAddress = ({ id, registry }: Workspace, page: string): string =>
  `${registry.publicUrl}${PAGES_PATH}/${id}/${page}`

export const profileAddress = ({ registry }: Workspace, id: string): string =>
  `${registry.publicUrl}${BASE_PATH}/candidates/${id}`
