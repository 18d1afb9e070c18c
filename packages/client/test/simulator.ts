/** One simulator per test file, started as users start it, and a new workspace for each test. */
import { onTestFinished } from 'vitest'
import {
  startSimulator,
  type NewWorkspace,
  type Simulator,
  type WorkspaceOptions,
} from '@suite-sim/library/index'
import { atEndOfFile } from '../../../test/support/endOfFile.ts'

let started: Promise<Simulator> | undefined

atEndOfFile(async () => {
  const simulator = started
  started = undefined
  await (await simulator)?.close()
})

export const sharedSimulator = (): Promise<Simulator> => (started ??= startSimulator({ rateLimits: false }))

export async function freshWorkspace(
  options: WorkspaceOptions = { fixtures: 'small' },
): Promise<NewWorkspace> {
  const workspace = await (await sharedSimulator()).workspaces.create(options)
  onTestFinished(() => workspace[Symbol.asyncDispose]())
  return workspace
}
