/**
 * `suite-sim listen`: what happens in a workspace, as it happens. Forwarding makes subscriptions that point at the URL,
 * so that what arrives is what the simulator sends anybody: its signature, its retries, its order. It must be able to
 * reach the URL from where it runs; they are removed when listening ends.
 */
import { unguessable } from '../state/ids.ts'
import { paint, printLine, printsJson, type Colour } from './output.ts'
import { Problem } from './problem.ts'
import type { Remote, Told } from './remote.ts'
import type { Within } from './reaching.ts'
import { pathOf, remoteOf } from './workspaces.ts'

export const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email']

interface Listening extends Within {
  readonly forwardTo?: string
  readonly interface?: string
  readonly secret?: string
  readonly kind: readonly string[]
  readonly for?: number
}

const COLOURS: Readonly<Record<string, Colour>> = { request: 'cyan', delivery: 'green', email: 'yellow' }

export async function listen(settings: Listening): Promise<void> {
  const { workspace, kind, for: seconds } = settings
  const remote = remoteOf(settings)
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const forwarding = await forward(remote, settings)
  try {
    say(settings, forwarding)
    for await (const told of remote.stream(workspace, seconds, stopping.signal)) {
      if (kind.includes(told.kind)) printLine(settings, told, () => lineOf(told))
    }
    if (seconds === undefined) throw new Problem('the server ended the stream')
  } catch (error) {
    if (!stopping.signal.aborted) throw error instanceof Problem ? error : new Problem('the stream broke off')
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
    await forwarding?.end()
  }
}

interface Forwarding {
  readonly secret: string
  readonly interfaces: readonly string[]
  end(): Promise<void>
}

/** Subscribes the URL to the events of the interfaces; all or none. */
async function forward(remote: Remote, settings: Listening): Promise<Forwarding | null> {
  const { forwardTo: url, workspace, secret = unguessable() } = settings
  if (url === undefined) return null
  const interfaces = settings.interface === undefined ? await interfacesOf(remote) : [settings.interface]
  const path = `${pathOf(workspace)}/subscriptions`
  const made: string[] = []
  const end = async (): Promise<void> => {
    // What is gone with its workspace, or its server, need not be removed.
    await Promise.all(made.map((id) => remote.ask('DELETE', `/_sim${path}/${id}`).catch(() => null)))
  }
  try {
    for (const name of interfaces) {
      made.push((await remote.call<{ id: string }>('POST', path, { interface: name, url, secret })).id)
    }
  } catch (error) {
    await end()
    throw error
  }
  return { secret, interfaces, end }
}

async function interfacesOf(remote: Remote): Promise<string[]> {
  const { text } = await remote.ask('GET', '/')
  return (JSON.parse(text) as { interfaces: { name: string }[] }).interfaces.map(({ name }) => name)
}

/** On standard error, for standard output is for what happens. */
function say(settings: Listening, forwarding: Forwarding | null): void {
  const { workspace, url, forwardTo = '' } = settings
  if (!printsJson(settings)) process.stderr.write(`Listening to ${workspace} at ${url}. Ctrl+C ends it.\n`)
  if (!forwarding) return
  const { interfaces, secret } = forwarding
  process.stderr.write(
    `The simulator sends the webhooks of ${interfaces.join(', ')} to ${forwardTo}, signed with ${secret}\n`,
  )
}

const lineOf = ({ at, kind, title }: Told): string =>
  `${paint('dim', at)} ${paint(COLOURS[kind] ?? 'bold', kind.padEnd(10))} ${title}`
