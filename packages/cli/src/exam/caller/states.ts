/** The properties of the exam about what changes while a client works: lists, webhooks, its key. */
import type { NewWorkspace } from '@suite-sim/client/workspace'
import { counted } from '@suite-sim/kit/text/counted'
import { groupBy, isWrite, textOf } from './calls.ts'
import type { Rule } from './gateway.ts'
import { endOf, fail, gradeRecords, metBy, notMet, pass, type CallerProperty } from './property.ts'
import type { Fault, Run } from './run.ts'

export const lag: CallerProperty = {
  name: 'lag',
  title: 'If lists show new records only after 2 s, nothing exists twice',
  plan(base) {
    const first = base.calls.findIndex((call) => isWrite(call))
    const readsLater = first >= 0 && base.calls.slice(first).some(({ method }) => method === 'GET')
    if (!readsLater) return 'The client reads nothing after a write.'
    const interfaces = [...new Set(base.calls.map((call) => call.interface))]
    return {
      weather: [{ faults: interfaces.map((of): Fault => ({ interface: of, lag: 'PT2S' })) }],
      judge: ([run]) => {
        if (!run || metBy(run).length === 0)
          return notMet('No list of the client had a new record to leave out.')
        return gradeRecords(run, base, {
          words: `${counted(metBy(run).length, 'list')} had no new records yet`,
          mayFail: true,
        })
      },
    }
  },
}

/** Longer than a run takes, on the clock of its workspace. */
const KEY_LASTS_MS = 60 * 60 * 1000
/** Repeats of a refused call that a client may make, for example to find out whether the key works again. */
const MAX_REPEATS = 3
/** Calls after which the exam ends a client that goes on with an expired key. */
const MAX_CALLS_AFTER = 50

export const expiredKey: CallerProperty = {
  name: 'expired_key',
  title: 'If its key expires midway, the client ends with a clear failure, without an endless loop',
  plan(base) {
    const half = Math.floor(base.calls.length / 2)
    if (half === 0) return 'The client makes only one call, so that its key cannot expire midway.'
    const start = (workspace: NewWorkspace): Promise<Rule> =>
      Promise.resolve(async ({ number }) => {
        if (number !== half) return
        await workspace.clock.advance(`PT${String((2 * KEY_LASTS_MS) / 1000)}S`, { waitMs: 0 })
      })
    return {
      weather: [{ start, keyLastsMs: KEY_LASTS_MS, maxCalls: base.calls.length + MAX_CALLS_AFTER }],
      judge([run]) {
        const refused = run ? run.calls.filter(({ status }) => status === 401 || status === 403) : []
        if (!run || refused.length === 0) return notMet('The client made no call after its key had expired.')
        const repeated = [...groupBy(refused, textOf).values()].find(({ length }) => length - 1 > MAX_REPEATS)
        const words = `The key expired after ${counted(half, 'call')}`
        if (repeated)
          return fail(
            `${words}, and a refused call was repeated ${counted(repeated.length - 1, 'time')}. ${endOf(run)}`,
            run,
            repeated,
          )
        const isClear = run.exitCode !== null && run.exitCode !== 0 && run.lastLine !== ''
        if (!isClear)
          return fail(
            `${words}, and ${counted(refused.length, 'call')} got ${String(refused[0]?.status)}. ${endOf(run)}`,
            run,
            refused,
          )
        return pass(`${words}. ${endOf(run)}`)
      },
    }
  },
}

export const earlyWebhook: CallerProperty = {
  name: 'early_webhook',
  title: 'A webhook that comes before the answer of its call is handled once',
  plan(base) {
    if (base.deliveries.length === 0)
      return 'No webhook of a call reached the client: it needs --receiver, and a call that causes one.'
    return {
      weather: [{ faults: [{ delivery: 'before_answer' }] }],
      judge: ([run]) => (run ? gradeWebhooks(run, base) : notMet('No run.')),
    }
  },
}

function gradeWebhooks(run: Run, base: Run) {
  const met = run.faults.reduce((sum, each) => sum + each.met, 0)
  if (met === 0) return notMet('No call of this run caused a webhook.')
  const words = `${counted(met, 'webhook')} came before the answer`
  const lost = run.deliveries.filter(({ status }) => status !== 'delivered').length
  const lostBefore = base.deliveries.filter(({ status }) => status !== 'delivered').length
  const writes = run.calls.filter((call) => isWrite(call))
  if (lost > lostBefore)
    return fail(`${words}, and ${counted(lost, 'delivery')} was never accepted. ${endOf(run)}`, run, writes)
  const verdict = gradeRecords(run, base, { words })
  return verdict.grade === 'fail' ? fail(verdict.reason, run, writes) : verdict
}
