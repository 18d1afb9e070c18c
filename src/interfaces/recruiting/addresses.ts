/** The addresses of pages of recruiting and of candidates. */
import type { Workspace } from '../../state/workspace/workspace.ts'

const BASE_PATH = '/recruiting/v1'

/** The path of the pages of vacancies. */
export const PAGES_PATH = '/recruiting/jobs'

export const pageAddress = ({ id, publicUrl }: Workspace, page: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${page}`

export const profileAddress = ({ publicUrl }: Workspace, id: string): string =>
  `${publicUrl}${BASE_PATH}/candidates/${id}`
