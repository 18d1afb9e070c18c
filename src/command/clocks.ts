/** `suite-sim clock`: the time in a workspace. */
import { paint, print, withProgress, type Printing } from './output.ts'
import { Misuse } from './problem.ts'
import type { Within } from './reaching.ts'
import { pathOf, remoteOf } from './workspaces.ts'

interface Clock {
  readonly now: string
  readonly frozen: boolean
}

interface Advanced extends Clock {
  readonly complete: boolean
  readonly ran: readonly { readonly job: string; readonly count: number }[]
  readonly deliveries: { readonly sent: number; readonly pending: number }
}

export async function showClock(settings: Within): Promise<void> {
  say(settings, await remoteOf(settings).call<Clock>('GET', `${pathOf(settings.workspace)}/clock`))
}

/** Sets it to an instant, past or to come; whether it stands still stays as it is. */
export const setClock = (now: string, settings: Within): Promise<void> => change(settings, { now })

export async function advance(duration: string, settings: Within & { waitMs?: number }): Promise<void> {
  const { workspace, waitMs } = settings
  mustBeDuration(duration)
  const path = `${pathOf(workspace)}/clock/advance`
  const moved = await withProgress(
    `moving on by ${duration}`,
    remoteOf(settings).call<Advanced>('POST', path, { duration, waitMs }),
  )
  print(settings, moved, () =>
    [
      timeOf(moved),
      ...moved.ran.map(({ job, count }) => `${paint('cyan', job)} ${String(count)}`),
      `${String(moved.deliveries.sent)} deliveries sent, ${String(moved.deliveries.pending)} pending`,
      ...(moved.complete ? [] : [paint('yellow', 'some attempts had not ended when this answered')]),
    ].join('\n'),
  )
}

/** As people write them: "7d", "90 min", "1h30m". */
const SHORT = /^(?:\d{1,9} ?(?:weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s) ?)+$/i

/** What the server takes is its own to judge; what is plainly meant is said here. */
function mustBeDuration(written: string): void {
  if (!SHORT.test(written)) return
  const parts = [...written.toLowerCase().matchAll(/(\d{1,9}) ?([wdhms])/g)]
  const letters = (units: string): string =>
    parts
      .filter(([, , unit = '']) => units.includes(unit))
      .map(([, amount = '', unit = '']) => `${amount}${unit.toUpperCase()}`)
      .join('')
  const time = letters('hms')
  const meant = `P${letters('wd')}${time === '' ? '' : `T${time}`}`
  throw new Misuse(`duration must be an ISO 8601 duration, not ${written}; did you mean ${meant}?`)
}

export async function freeze(settings: Within & { at?: string }): Promise<void> {
  const { at } = settings
  await change(settings, { frozen: true, ...(at !== undefined && { now: at }) })
}

export const resume = (settings: Within): Promise<void> => change(settings, { frozen: false })

async function change(settings: Within, body: object): Promise<void> {
  const path = `${pathOf(settings.workspace)}/clock`
  say(settings, await remoteOf(settings).call<Clock>('PUT', path, body))
}

const say = (printing: Printing, clock: Clock): void => {
  print(printing, clock, () => timeOf(clock))
}

const timeOf = ({ now, frozen }: Clock): string => `${now}${frozen ? paint('cyan', ' frozen') : ''}`
