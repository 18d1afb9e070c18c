/** Actions on a workspace that several parts of the page offer. */
import { server, type Workspace } from '../server.ts'

/** The steps by which buttons and commands advance the clock: their words and their duration. */
export const CLOCK_STEPS = [
  ['1 minute', 'PT1M'],
  ['1 hour', 'PT1H'],
  ['1 day', 'P1D'],
  ['1 week', 'P7D'],
  ['30 days', 'P30D'],
  ['1 year', 'P1Y'],
] as const

export const resetQuestion = ({ name }: Workspace): string =>
  `Reset ${name}? All changes since its creation are lost.`

/** Resets a workspace and loads the page again. */
export async function resetWorkspace({ id }: Workspace): Promise<void> {
  await server().call('resetWorkspace', { path: { id } })
  location.reload()
}
