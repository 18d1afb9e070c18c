/** The addresses of the hosted checkout. */
import type { Workspace } from '../../state/workspace/workspace.ts'

/** The path of the hosted checkout. */
export const PAGES_PATH = '/integration-pay/checkout'

export const checkoutAddress = ({ id, publicUrl }: Workspace, hashUrl: string): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${hashUrl}`
