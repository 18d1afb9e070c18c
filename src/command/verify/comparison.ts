/** The comparison, in a bundle of its own, because it includes the client library. */
import {
  verify as compare,
  VerifyOptionsError,
  type Cleanup,
  type CleanupOptions,
  type StartServer,
  type VerifyResult,
  type VerifyHooks,
  type VerifyOptions,
} from '../../verify/index.ts'

/** Compares a service with the simulator. See `verify` in src/verify. */
export const verify = async (
  options: VerifyOptions,
  start: StartServer,
  hooks: VerifyHooks,
): Promise<VerifyResult> => {
  if (options.write) throw new VerifyOptionsError('this version cannot write to a service; leave out --write')
  return compare(options, start, hooks)
}

export { withoutSecrets } from '../../verify/index.ts'

export const cleanUp = (_options: CleanupOptions, _hooks: VerifyHooks): Promise<Cleanup> =>
  Promise.reject(new VerifyOptionsError('this version cannot write to a service, so nothing is left behind'))
