/** Runs the comparison. A separate bundle, because it includes the client library. */
import {
  DEFAULT_BUDGET,
  measure,
  prepare,
  Reference,
  VerifyOptionsError,
  type Cleanup,
  type CleanupOptions,
  type StartServer,
  type Verification,
  type VerifyHooks,
  type VerifyOptions,
} from '../../verify/index.ts'

/** Compares a service with a simulator that `start` starts. Throws a VerifyOptionsError or a SelfCheckError. */
export async function verify(
  options: VerifyOptions,
  hooks: VerifyHooks,
  start: StartServer,
): Promise<Verification> {
  if (options.write) throw new VerifyOptionsError('this version cannot write to a service; leave out --write')
  if (options.replay !== undefined) throw new VerifyOptionsError('this version cannot check a HAR file')
  const { budget = DEFAULT_BUDGET, interfaces } = options
  hooks.onProgress?.({ stage: 'checks the simulator against itself', requests: 0, budget, differences: 0 })
  const reference = await Reference.start(start)
  try {
    const yardstick = await prepare(reference, interfaces)
    const { report } = await measure(options, yardstick, hooks)
    return { report, overlay: null }
  } finally {
    await reference.close()
  }
}

export const cleanUp = (_options: CleanupOptions, _hooks: VerifyHooks): Promise<Cleanup> =>
  Promise.reject(new VerifyOptionsError('this version cannot write to a service, so nothing is left behind'))
