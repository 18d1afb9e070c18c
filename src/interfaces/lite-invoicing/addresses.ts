/** The addresses of the printable pages of invoices. */
import type { Workspace } from '../../state/workspace/workspace.ts'

export const PAGES_PATH = '/einvoice-external/invoices'

export const documentAddress = ({ id, publicUrl }: Workspace, cufe: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${cufe}`
