/** Runs of `verify` against many services in one process: the reference is started and calibrated once. */
import type { Run } from './score.ts'

export interface Verifying {
  readonly run: Run
  close(): Promise<void>
}

export async function startVerifying(): Promise<Verifying> {
  throw new Error('TODO')
}
