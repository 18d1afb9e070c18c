/** The addresses of the pages of web widgets. */
import type { Workspace } from '../../state/workspace/workspace.ts'

/** The path of the widget pages. */
export const PAGES_PATH = '/chat/widget'

export const widgetAddress = ({ id, publicUrl }: Workspace, inbox: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${inbox}`
