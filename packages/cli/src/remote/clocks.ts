/** `suite-sim clock`: reads and moves the clock of a workspace. */
import { counted } from '@suite-sim/kit/text/counted'
import { paint, print, withProgress, type OutputSettings } from '@suite-sim/kit/terminal/output'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

interface Clock {
  readonly now: string
  readonly frozen: boolean
  readonly hint?: string
}

interface Advanced extends Clock {
  readonly complete: boolean
  readonly ran: readonly { readonly job: string; readonly count: number }[]
  readonly deliveries: { readonly sent: number; readonly pending: number }
}

export async function showClock(settings: WorkspaceSettings): Promise<void> {
  printClock(settings, await remoteOf(settings).call<Clock>('GET', `${pathOf(settings.workspace)}/clock`))
}

/** Sets the clock to a past or future instant. It stays frozen or running. */
export const setClock = (now: string, settings: WorkspaceSettings): Promise<void> =>
  setFields(settings, { now })

export async function advance(
  duration: string,
  settings: WorkspaceSettings & { waitMs?: number },
): Promise<void> {
  const { workspace, waitMs } = settings
  mustBeDuration(duration)
  const path = `${pathOf(workspace)}/clock/advance`
  const result = await withProgress(
    `advancing by ${duration}`,
    remoteOf(settings).call<Advanced>('POST', path, { duration, waitMs }),
  )
  print(settings, result, () =>
    [
      formatClock(result),
      ...result.ran.map(({ job, count }) => `${paint('cyan', job)} ${String(count)}`),
      `${counted(result.deliveries.sent, 'delivery')} sent, ${String(result.deliveries.pending)} pending`,
      ...(result.complete ? [] : [paint('yellow', 'some delivery attempts are still in flight')]),
    ].join('\n'),
  )
}

/** Informal durations: "7d", "90 min", "1h30m". */
const INFORMAL = /^(?:\d{1,9} ?(?:weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s) ?)+$/i

/** Refuses informal durations and suggests the ISO 8601 form. The server validates everything else. */
function mustBeDuration(duration: string): void {
  if (!INFORMAL.test(duration)) return
  const parts = [...duration.toLowerCase().matchAll(/(\d{1,9}) ?([wdhms])/g)]
  const letters = (units: string): string =>
    parts
      .filter(([, , unit = '']) => units.includes(unit))
      .map(([, amount = '', unit = '']) => `${amount}${unit.toUpperCase()}`)
      .join('')
  const time = letters('hms')
  const suggestion = `P${letters('wd')}${time === '' ? '' : `T${time}`}`
  throw new UsageError(`duration must be an ISO 8601 duration, not ${duration}; did you mean ${suggestion}?`)
}

export async function freeze(settings: WorkspaceSettings & { at?: string }): Promise<void> {
  const { at } = settings
  await setFields(settings, { frozen: true, ...(at !== undefined && { now: at }) })
}

export const resume = (settings: WorkspaceSettings): Promise<void> => setFields(settings, { frozen: false })

async function setFields(settings: WorkspaceSettings, body: object): Promise<void> {
  const path = `${pathOf(settings.workspace)}/clock`
  printClock(settings, await remoteOf(settings).call<Clock>('PUT', path, body))
}

const printClock = (printing: OutputSettings, clock: Clock): void => {
  print(printing, clock, () => formatClock(clock))
}

const formatClock = ({ now, frozen, hint }: Clock): string =>
  `${now}${frozen ? paint('cyan', ' frozen') : ''}${hint === undefined ? '' : `\n${paint('yellow', hint)}`}`
