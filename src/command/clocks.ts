/** `suite-sim clock`: the time in a workspace. */
import { paint, print, withProgress, type Printing } from './output.ts'
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

export async function advance(duration: string, settings: Within & { waitMs?: number }): Promise<void> {
  const { workspace, waitMs } = settings
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
