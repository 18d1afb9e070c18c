/** `suite-sim listen`: what happens in a workspace, as it happens; and its webhooks, sent here (forwarding.ts). */
import { forward, type Forwardable, type Forwarding } from './forwarding.ts'
import { paint, printLine, printsJson, type Colour } from './output.ts'
import { Problem } from './problem.ts'
import { whenReaderLeaves } from './pipes.ts'
import type { Told } from './remote.ts'
import { followUnmatched } from './unmatched.ts'
import { remoteOf } from './workspaces.ts'

export const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email', 'unmatched']

/** The kinds that are printed by default: events too, because an event without a subscriber has no delivery. */
export const USUAL_KINDS = ['request', 'event', 'delivery', 'unmatched']

interface Listening extends Forwardable {
  readonly kind: readonly string[]
  readonly for?: number
}

const COLOURS: Readonly<Record<string, Colour>> = {
  request: 'cyan',
  event: 'dim',
  delivery: 'green',
  email: 'yellow',
  unmatched: 'red',
}

export async function listen(settings: Listening): Promise<void> {
  const { workspace, kind, for: seconds } = settings
  const remote = remoteOf(settings)
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  // A reader that closes the pipe must not leave subscriptions behind.
  const restore = whenReaderLeaves(stop)
  const forwarding = await forward(remote, settings)
  const ending = new AbortController()
  const tell = (told: Told): void => {
    if (kind.includes(told.kind) && isMeant(told, settings.events))
      printLine(settings, told, () => lineOf(told))
  }
  const unmatched = followUnmatched(remote, tell, AbortSignal.any([stopping.signal, ending.signal]))
  try {
    say(settings, forwarding)
    for await (const told of remote.stream(workspace, seconds, stopping.signal)) {
      tell(told)
    }
    if (seconds === undefined) throw new Problem('the server ended the stream')
  } catch (error) {
    if (!stopping.signal.aborted) throw error instanceof Problem ? error : new Problem('the stream broke off')
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
    ending.abort()
    await Promise.all([unmatched, forwarding?.end()])
    restore()
  }
}

/** On standard error, for standard output is for what happens. */
function say(settings: Listening, forwarding: Forwarding | null): void {
  const { workspace, url } = settings
  if (!printsJson(settings)) process.stderr.write(`Listening to ${workspace} at ${url}. Ctrl+C ends it.\n`)
  if (!forwarding) return
  const { interfaces, secret, url: receiver } = forwarding
  process.stderr.write(
    `The simulator sends the webhooks of ${interfaces.join(', ')} to ${receiver}, signed with ${secret}\n`,
  )
}

/** "pos sale.completed answered 200": with names of events, only these and their deliveries; nothing else is one. */
const isMeant = ({ kind, title }: Told, events: readonly string[] | undefined): boolean =>
  events === undefined || (['event', 'delivery'].includes(kind) && events.includes(title.split(' ')[1] ?? ''))

const lineOf = ({ at, kind, title }: Told): string =>
  `${paint('dim', at)} ${paint(COLOURS[kind] ?? 'bold', kind.padEnd(10))} ${title}`
