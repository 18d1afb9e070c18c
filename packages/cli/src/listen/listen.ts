/** `suite-sim listen`: prints the timeline of a workspace live, and forwards its webhooks to local URLs. */
import { io } from '@suite-sim/kit/terminal/io'
import { randomToken } from '@suite-sim/kit/random'
import { paint, printLine, printsJson, type Color } from '@suite-sim/kit/terminal/output'
import { onClosedPipe } from '@suite-sim/kit/terminal/pipes'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { type StreamEntry, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'
import { follow, type Ready } from './connection.ts'
import { MAX_SECRET_LENGTH, MAX_ROUTES } from '@suite-sim/kit/webhooks/listening'
import { explain, LocalReceiver } from './receiving.ts'
import type { Target } from './targets.ts'
import { followUnmatched } from './unmatched.ts'

export const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email', 'unmatched']

/** The kinds that are printed by default. Includes events, because an event without a subscriber has no delivery. */
export const DEFAULT_KINDS = ['request', 'event', 'delivery', 'unmatched']

interface Listening extends WorkspaceSettings {
  readonly forwardTo?: readonly Target[]
  readonly print?: boolean
  readonly interface?: string
  readonly events?: readonly string[]
  readonly secret?: string
  readonly kind: readonly string[]
  readonly for?: number
}

const OUTCOMES: Readonly<Record<string, Color>> = { succeeded: 'green', refused: 'yellow', failed: 'red' }

/** Of entries without an outcome. */
const KIND_COLORS: Readonly<Record<string, Color>> = {
  event: 'dim',
  delivery: 'dim',
  email: 'cyan',
  unmatched: 'red',
}

export async function listen(settings: Listening): Promise<void> {
  checkFlags(settings)
  const { workspace, kind, events, secret = randomToken(), print = false, for: seconds } = settings
  const remote = remoteOf(settings)
  const targets = settings.forwardTo ?? (print ? [{ name: null, url: null }] : [])
  const session = randomToken()
    .replaceAll(/[^a-z\d]/gi, '')
    .slice(0, 12)
  const receiver = new LocalReceiver({ ...settings, targets, secret, print })
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  io().once('SIGINT', stop)
  io().once('SIGTERM', stop)
  // The server must learn of the end too if the reader closes the pipe.
  const restore = onClosedPipe(stop)
  const timer = seconds === undefined ? undefined : setTimeout(stop, seconds * 1000)
  const report = (entry: StreamEntry): void => {
    const shown = entry.kind === 'delivery' ? withResult(entry, session, receiver) : entry
    if (kind.includes(shown.kind) && isSelected(shown, events))
      printLine(settings, shown, () => formatLine(shown))
  }
  let polling = new AbortController()
  let unmatched = Promise.resolve()
  const request = {
    session,
    secret,
    routes: targets,
    interface: settings.interface ?? null,
    events: events ?? null,
  }
  try {
    await follow(
      remote,
      pathOf(workspace),
      request,
      {
        entry: report,
        ready(ready, isAgain) {
          receiver.prepare(ready.timeoutMs)
          if (isAgain) io().stderr.write(`Connected to ${remote.url} again.\n`)
          else printStart(settings, targets, secret, ready)
          polling = new AbortController()
          const { signal } = polling
          if (kind.includes('unmatched')) unmatched = followUnmatched(remote, report, signal)
        },
        delivery(delivery, ended) {
          receiver.receive(delivery, ended)
        },
        lost(reason, delayMs) {
          polling.abort()
          const when = `Connecting again in ${String(delayMs / 1000)} s.`
          io().stderr.write(`Lost the connection to ${remote.url}: ${reason}. ${when}\n`)
        },
      },
      stopping.signal,
    )
  } finally {
    clearTimeout(timer)
    io().off('SIGINT', stop)
    io().off('SIGTERM', stop)
    polling.abort()
    receiver.close()
    await unmatched
    restore()
  }
}

/** Refuses flags that would have no effect, and what the server would refuse without the name of the flag. */
function checkFlags({ forwardTo, print = false, interface: only, secret }: Listening): void {
  if (!forwardTo && !print) {
    const unused = secret !== undefined ? '--secret' : only !== undefined ? '--interface' : null
    if (unused !== null) throw new UsageError(`${unused} needs --forward-to or --print`)
  }
  if (forwardTo && forwardTo.length > MAX_ROUTES)
    throw new UsageError(`--forward-to must be given at most ${String(MAX_ROUTES)} times`)
  if (secret !== undefined && secret.length > MAX_SECRET_LENGTH)
    throw new UsageError(`--secret must have 1 to ${String(MAX_SECRET_LENGTH)} characters`)
}

/** Prints to standard error, because standard output is for the timeline. */
function printStart(
  settings: Listening,
  targets: readonly Target[],
  secret: string,
  { routes }: Ready,
): void {
  const { workspace, url } = settings
  if (!printsJson(settings)) io().stderr.write(`Listening to ${workspace} at ${url}. Press Ctrl+C to stop.\n`)
  for (const [index, target] of targets.entries()) {
    const { name, url: to } = target
    const interfaces = routes[index] ?? []
    const event = name === null || interfaces.includes(name) ? '' : `${name} `
    const what = `the ${event}webhooks of ${interfaces.join(', ')}`
    const how = `signed with the secret ${secret}`
    io().stderr.write(to === null ? `Printing ${what}, ${how}\n` : `Sending ${what} to ${to}, ${how}\n`)
  }
}

/** Adds what the local URL has answered, or the local URL instead of the address of this session. */
function withResult(entry: StreamEntry, session: string, receiver: LocalReceiver): StreamEntry {
  if (entry.outcome === undefined) return { ...entry, title: entry.title.replace(`listen:${session}/`, '') }
  const result = receiver.takeResult(entry.ref)
  if (!result) return entry
  const { url, attempt, status, error, durationMs } = result
  const forwarded = { url, attempt, status, error, durationMs }
  return { ...entry, title: `${entry.title} ${explain(result)}`, forwarded }
}

/** With `--events`, selects only these events and their deliveries. Titles: "pos sale.completed answered 200". */
const isSelected = ({ kind, title }: StreamEntry, events: readonly string[] | undefined): boolean =>
  events === undefined || (['event', 'delivery'].includes(kind) && events.includes(title.split(' ')[1] ?? ''))

/** Formats an entry for a terminal, a call with the name of its caller. */
export function formatLine(entry: StreamEntry): string {
  const { at, kind, title, caller } = entry
  const by = caller === undefined ? '' : ` ${paint('dim', `by ${caller}`)}`
  return `${paint('dim', at)} ${paint(colorOf(entry), kind.padEnd(10))} ${title}${by}`
}

/** Green, yellow and red are for outcomes, as in the dashboard. */
export const colorOf = ({ kind, outcome }: Pick<StreamEntry, 'kind' | 'outcome'>): Color =>
  OUTCOMES[outcome ?? ''] ?? KIND_COLORS[kind] ?? 'bold'
