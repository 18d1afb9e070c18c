/** `verify`: measures a service, and returns the report and what a simulator can follow. */
import { checkOverlay } from '../../../src/published.ts'
import { overlayOf } from './overlay/overlay.ts'
import { measure } from './measure.ts'
import type { VerifyResult, VerifyHooks, VerifyOptions } from './options.ts'
import { ALL_INTERFACES, type StartServer } from './reference.ts'
import { prepare } from './prepare.ts'
import { mustBeSafe } from './write/guard.ts'
import { scenariosMustAgree } from './write/selfCheck.ts'

/**
 * Compares a service with the simulator. Throws a SelfCheckError if the simulator differs from itself, and a
 * VerifyOptionsError for options that a run can't start with.
 */
export async function verify(
  options: VerifyOptions,
  start: StartServer,
  hooks: VerifyHooks = {},
): Promise<VerifyResult> {
  if (options.write) mustBeSafe(options)
  const before = options.observed === undefined ? undefined : checkOverlay(options.observed, 'observed')
  const baseline = await prepare(start, { ...(before && { observed: before }) }, options.interfaces)
  try {
    if (options.write)
      await scenariosMustAgree(baseline, options.interfaces ?? ALL_INTERFACES, options.write.allow ?? [])
    const { report, interfaces } = await measure(options, baseline, hooks)
    return {
      report,
      overlay: overlayOf(report, interfaces, before, [options.key]),
    }
  } finally {
    await baseline.reference.close()
  }
}
