/** Repeats a call of the journal, or formats it as code. */
import type { Schema } from '@suite-sim/client/calling'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { ROOT, server } from './server.ts'

type Call = Schema<'JournalEntry'>

/** Headers that browsers set themselves, headers of the connection, and the name of the caller, who is another one. */
const OMITTED_HEADERS =
  /^(?:host|connection|content-length|content-encoding|user-agent|accept-encoding|origin|referer|cookie|sec-.*|transfer-encoding|expect|x-sim-caller)$/

const REDACTED = '[redacted]'

function headersOf({ request }: Call): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name, value]) => !OMITTED_HEADERS.test(name) && !value.includes(REDACTED),
    ),
  )
}

/** Returns the header with the key in the format of the interface. */
function credentialOf(name: Call['interface'], key: string): Record<string, string> {
  const mounted = INTERFACES[name]
  return 'header' in mounted ? { [mounted.header]: key } : { authorization: `Bearer ${key}` }
}

function urlOf({ path, request }: Call): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each))
  }
  return `${ROOT}${path}${query.size === 0 ? '' : `?${query.toString()}`}`
}

const bodyOf = ({ request: { body } }: Call): string | undefined =>
  body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body)

/** Repeats a call with a key of the workspace. */
export const repeat = (workspaceId: string, call: Call): Promise<Answer> =>
  send(workspaceId, call.interface, urlOf(call), {
    method: call.method,
    headers: headersOf(call),
    ...(bodyOf(call) !== undefined && { body: bodyOf(call) }),
  } as RequestInit)

export interface Answer {
  readonly status: number
  readonly text: string
}

interface NewCall {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Calls an interface with a key of the workspace. */
export const callWith = (
  workspaceId: string,
  name: Call['interface'],
  { method, path, body }: NewCall,
): Promise<Answer> =>
  send(workspaceId, name, ROOT + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function send(
  workspaceId: string,
  name: Call['interface'],
  url: string,
  init: RequestInit,
): Promise<Answer> {
  const { data } = await server().call('listWorkspaceKeys', { path: { id: workspaceId } })
  const key =
    data.find(({ scopes, interfaces }) => scopes.includes('*') && interfaces.includes('*')) ?? data[0]
  const response = await fetch(url, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...(key && credentialOf(name, key.key)) },
  })
  return { status: response.status, text: await response.text() }
}

/** Returns the call as JavaScript, with a placeholder for the key. */
export function fetchText(call: Call): string {
  const body = call.request.body
  const headers = { ...headersOf(call), ...credentialOf(call.interface, 'YOUR_KEY') }
  const bodyLine =
    body === null
      ? ''
      : `\n  body: ${typeof body === 'string' ? JSON.stringify(body) : `JSON.stringify(${JSON.stringify(body)})`},`
  return `await fetch(${JSON.stringify(urlOf(call))}, {
  method: ${JSON.stringify(call.method)},
  headers: ${JSON.stringify(headers)},${bodyLine}
})`
}
