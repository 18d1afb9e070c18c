/** The addresses of the hosted payment pages and receipts. */
import type { Workspace } from '../../state/workspace/workspace.ts'

export const PAGES_PATH = '/pay/links'

export const pageAddress = ({ id, publicUrl }: Workspace, page: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${page}`

export const receiptAddress = (workspace: Workspace, transactionId: string): string =>
  pageAddress(workspace, `receipts/${transactionId}`)
