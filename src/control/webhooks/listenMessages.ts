/**
 * The messages between the server and `suite-sim listen`, as JSON texts over a WebSocket. The listener first sends a
 * `listen` message; the server answers `ready`, or `refused` and closes the connection.
 */
import { MAX_ROUTES, MAX_SECRET_LENGTH } from '@suite-sim/kit/webhooks/listening'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { MAX_URL_LENGTH } from '@suite-sim/kit/text/parseUrl'
import type { ListenerRoute } from '../../webhooks/listeners/session.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { urlProblem } from '@suite-sim/kit/webhooks/urlProblem'

/** The first message of a listener. */
export interface ListenMessage {
  /** Chosen by the listener, 8 to 64 letters and digits. */
  readonly session: string
  readonly secret: string
  readonly routes: readonly {
    /** The name of an interface or of an event; null takes what no other route names. */
    readonly name: string | null
    readonly url: string | null
  }[]
  readonly interface: string | null
  readonly events: readonly string[] | null
  /** True to receive the timeline, from the entry after `after` on. */
  readonly timeline: boolean
  readonly after: string | null
}

/** A message that the server does not accept; the text says why. */
export class UnacceptableMessage extends Error {}

type Json = Readonly<Record<string, unknown>>

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Json
  } catch {
    // Refused below.
  }
  throw new UnacceptableMessage('a message must be a JSON object')
}

const mustBe = (isTrue: boolean, rule: string): void => {
  if (!isTrue) throw new UnacceptableMessage(rule)
}

export function parseListen(text: string): ListenMessage {
  const message = parseObject(text)
  const { type, session, secret, routes, interface: of, events, timeline, after } = message
  mustBe(type === 'listen', 'the first message must have the type "listen"')
  mustBe(
    typeof session === 'string' && /^[a-z\d]{8,64}$/i.test(session),
    'session must be 8 to 64 letters and digits',
  )
  mustBe(
    typeof secret === 'string' && secret.length > 0 && secret.length <= MAX_SECRET_LENGTH,
    `secret must have 1 to ${String(MAX_SECRET_LENGTH)} characters`,
  )
  mustBe(
    Array.isArray(routes) && routes.length <= MAX_ROUTES,
    `routes must be a list of at most ${String(MAX_ROUTES)} targets`,
  )
  for (const route of routes as unknown[]) {
    const { name, url } = (route ?? {}) as Json
    mustBe(isTextOrNull(name) && isTextOrNull(url), 'a route must have a name and a url')
    const problem = url === null ? null : urlProblem(url as string)
    mustBe(problem === null, `${String(url).slice(0, MAX_URL_LENGTH)}: ${problem ?? ''}`)
  }
  mustBe(isTextOrNull(of), 'interface must be a text or null')
  mustBe(
    events === null || (Array.isArray(events) && events.every((name) => typeof name === 'string')),
    'events must be a list of names or null',
  )
  mustBe(typeof timeline === 'boolean', 'timeline must be true or false')
  mustBe(isTextOrNull(after), 'after must be a text or null')
  return message as unknown as ListenMessage
}

/** Maximum characters of an error. */
const MAX_ERROR = 500

/** A result that the listener reports, with the number of its delivery. */
export function parseResult(text: string): { readonly number: number; readonly result: AttemptResult } {
  const { type, number, status, error, durationMs, retryAfterMs } = parseObject(text)
  mustBe(type === 'result' && Number.isSafeInteger(number), 'a result must have the number of its delivery')
  mustBe(
    status === null || (Number.isSafeInteger(status) && Number(status) >= 100 && Number(status) <= 999),
    'status must be a status code or null',
  )
  mustBe(isTextOrNull(error), 'error must be a text or null')
  mustBe(error !== null || (Number(status) >= 200 && Number(status) < 300), 'only a 2xx response is no error')
  mustBe(isDuration(durationMs), 'durationMs must be a number of milliseconds')
  mustBe(retryAfterMs === undefined || isDuration(retryAfterMs), 'retryAfterMs must be a number')
  return {
    number: number as number,
    result: {
      status: status as number | null,
      // Node's text about a certificate lists all its names.
      error: typeof error === 'string' ? error.slice(0, MAX_ERROR) : null,
      durationMs: durationMs as number,
      ...(retryAfterMs !== undefined && { retryAfterMs: retryAfterMs as number }),
    },
  }
}

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 86_400_000

/** The event names by interface. */
export type EventsOf = ReadonlyMap<InterfaceName, readonly string[]>

/**
 * Decides which route receives which events: the routes with the name of the event, or else of the interface, or else
 * those without a name. Refuses unknown names, and routes that would receive nothing.
 */
export function routesOf(
  { interface: only, events, routes }: ListenMessage,
  eventsOf: EventsOf,
): ListenerRoute[] {
  if (only !== null)
    mustBeKnown('interface', only, INTERFACE_NAMES, `use one of ${INTERFACE_NAMES.join(', ')}`)
  const selected = [...eventsOf].filter(([of]) => only === null || only === of)
  const names = [...new Set(selected.flatMap(([, own]) => own))]
  for (const event of events ?? []) {
    mustBe(
      names.includes(event) || !isInterface(event),
      `${event} is an interface; use --interface ${event}, or the names of its events`,
    )
    if (names.includes(event)) continue
    const owners = [...eventsOf].flatMap(([of, own]) => (own.includes(event) ? of : []))
    const advice = owners.map((of) => `--interface ${of}`).join(' or ')
    mustBe(
      owners.length === 0,
      `${event} is an event of ${owners.join(' and ')}, not of ${String(only)}; use ${advice}`,
    )
    mustBeKnown('event', event, names, EVENTS_ADVICE)
  }
  const all = [...INTERFACE_NAMES, ...[...eventsOf.values()].flat()]
  for (const { name } of routes)
    if (name !== null) mustBeKnown('interface or event', name, all, EVENTS_ADVICE)
  const taken = routes.map(({ url }) => ({ url, events: new Map<InterfaceName, Set<string>>() }))
  for (const [of, own] of selected) {
    for (const event of own.filter((each) => events?.includes(each) ?? true)) {
      const named = [event, of, null].find((name) => routes.some((route) => route.name === name))
      for (const [index, route] of routes.entries()) {
        if (route.name !== named) continue
        const byInterface = taken[index]?.events
        byInterface?.set(of, (byInterface.get(of) ?? new Set()).add(event))
      }
    }
  }
  for (const [index, { events: byInterface, url }] of taken.entries()) {
    const { name } = routes[index] ?? { name: null }
    const what = name === null ? (url ?? '') : `${name}=${url ?? ''}`
    mustBe(
      byInterface.size > 0,
      `${what} would receive nothing: the other targets, --interface or --events take or exclude all its events`,
    )
  }
  return taken.map(({ url, events: byInterface }) => ({
    url,
    events: new Map(
      [...byInterface].map(([of, own]) => [of, own.size === eventsOf.get(of)?.length ? null : own] as const),
    ),
  }))
}

/** There are too many events for a message. */
const EVENTS_ADVICE = 'GET /_sim/workspaces/{id}/coverage lists the events'

const isInterface = (name: string): boolean => INTERFACE_NAMES.some((known) => known === name)

/** Refuses an unknown name with the nearest one, or with advice if none is near. */
function mustBeKnown(kind: string, name: string, known: readonly string[], advice: string): void {
  if (known.includes(name)) return
  const nearest = nearestName(name, known)
  const hint = nearest === null ? advice : `did you mean ${nearest}?`
  throw new UnacceptableMessage(`there is no ${kind} '${name.slice(0, 100)}'; ${hint}`)
}
