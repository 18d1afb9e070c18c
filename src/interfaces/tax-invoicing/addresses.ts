/** The URLs of files and pages of tax invoicing. */
import type { Workspace } from '../../state/workspace/workspace.ts'

export const BASE_PATH = '/einvoicing/v1'

/** The path of the pages where recipients decide on cancellations. */
export const PAGES_PATH = '/einvoicing/recipient'

/** Returns the URL of a file of the document with this path. */
export const fileAddress = ({ publicUrl }: Workspace, path: string, kind: 'xml' | 'pdf'): string =>
  `${publicUrl}${BASE_PATH}${path}/${kind}`

/** Returns the URL of the page where the recipient decides on the cancellation of an invoice. */
export const decisionAddress = ({ publicUrl, id }: Workspace, { uuid }: { readonly uuid: string }): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${uuid}`
