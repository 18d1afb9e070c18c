/**
 * Applies faults of a workspace to the clients of its cable, and records their connections and rejected
 * subscriptions in the request journal. The workspace comes from the handshake, or else from the first
 * subscription. Rejected subscriptions without a workspace are recorded with the other calls without one.
 */
import type { IncomingMessage } from 'node:http'
import { monotonicNow, systemNow } from '@suite-sim/kit/time/machineClock'
import { findFault, isForOperations, type Hit } from '../../state/faults/faults.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Call } from '../../state/timeline/timeline.ts'
import type { CallRecord } from '../../state/timeline/timelineShapes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { headerOf, keyOf } from '../lifecycle/credentials.ts'
import { filledFault } from '../faults/templates.ts'
import type { Credential } from '../definition/dialect.ts'
import { pathPattern } from '../definition/pathPatterns.ts'
import { redacted, redactedHeaders, redactedUrl } from '@suite-sim/kit/calls/redaction'
import { unmatchedCalls } from '../server/logging/unmatchedCalls.ts'
import type { Sent } from './channel.ts'

/** Maximum characters of a URL in the journal. */
const LONGEST_URL = 2000

export interface WatchedCable {
  /** "conversations" */
  readonly interface: string
  /** "/chat/cable" */
  readonly path: string
  /** The header of the key in the handshake of a client that can set headers. */
  readonly credential: Credential
  /** Logs a warning. */
  readonly warn: (facts: object, text: string) => void
}

/** The facts of a handshake or a subscription. */
export interface CallFacts {
  readonly status: number
  readonly startedAt: number
  readonly sent?: unknown
  readonly answered?: unknown
  readonly refusal?: CallRecord['refusal']
  readonly fault?: string | undefined
}

export class CableWatch {
  readonly #cable: WatchedCable
  readonly #workspaces: Registry
  readonly #header: string

  constructor(cable: WatchedCable, workspaces: Registry) {
    this.#cable = cable
    this.#header = cable.credential.kind === 'open' ? '' : headerOf(cable.credential).toLowerCase()
    this.#workspaces = workspaces
  }

  /**
   * Returns the workspace that a handshake names: by a token or an account in a header or the query, or by
   * `?workspace=`. Else the only workspace, if there is just one.
   */
  named({ headers, url = '' }: IncomingMessage): Workspace | undefined {
    const query = new URLSearchParams(url.split('?')[1] ?? '')
    const token = keyOf({ credential: this.#cable.credential }, { headers }) ?? query.get('pubsub_token')
    const named =
      this.whose({ pubsub_token: token, account_id: query.get('account_id') }) ??
      this.#workspaces.find(query.get('workspace') ?? '')
    if (named) return named
    const [first, second] = this.#workspaces.tenantIds()
    return first === undefined || second !== undefined ? undefined : this.#workspaces.byTenantId(first)
  }

  /** Returns the workspace that the parameters of a subscription name, even if they give no access. */
  whose({ pubsub_token: token, account_id: account }: Sent): Workspace | undefined {
    const ofToken =
      typeof token === 'string'
        ? (this.#workspaces.keys.caller(token)?.workspace ?? this.#workspaces.find(token.split('.')[0] ?? ''))
        : undefined
    if (ofToken) return ofToken
    const isNumber =
      typeof account === 'number' || (typeof account === 'string' && /^\d{1,15}$/.test(account))
    return isNumber && Number.isSafeInteger(Number(account))
      ? this.#workspaces.byTenantId(Number(account))
      : undefined
  }

  /** Returns the fault for a connection of this workspace, with its placeholders filled from the handshake. */
  faultOf(workspace: Workspace, { headers, url = '' }: IncomingMessage): Hit | null {
    const { interface: name, path } = this.#cable
    const parentPath = path.slice(0, path.lastIndexOf('/'))
    const query = Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? ''))
    const fault = findFault(
      workspace,
      (each) =>
        each.delivery === undefined &&
        !isForOperations(each) &&
        each.case === undefined &&
        (each.interface ?? name) === name &&
        (each.method ?? 'GET') === 'GET' &&
        (each.path === undefined || pathPattern(each.path, parentPath)(path)),
      { headers, query, body: undefined, text: null },
    )
    if (!fault) return null
    try {
      return filledFault(
        fault,
        { method: 'GET', path, pathParams: {}, query, headers, body: null },
        workspace,
      )
    } catch (error) {
      return { ...fault, status: 500, body: String(error) }
    }
  }

  /** Records it in the request journal of the workspace. */
  note(workspace: Workspace, request: IncomingMessage, noted: CallFacts): void {
    const timeline = timelineOf(workspace)
    timeline.add(this.#callOf(timeline.next(), workspace.now(), request, noted))
  }

  /** Records it in the journal of the calls without a workspace. */
  noteUnmatched(request: IncomingMessage, noted: CallFacts): void {
    const createCall = (number: number): Call => this.#callOf(number, systemNow(), request, noted)
    unmatchedCalls(this.#workspaces.database).add(createCall, request.url ?? '', (text) => {
      this.#cable.warn({ req: request, status: noted.status, reason: noted.refusal?.reason }, text)
    })
  }

  #callOf(number: number, at: number, request: IncomingMessage, noted: CallFacts): Call {
    const { status, startedAt, sent, answered, refusal = null, fault } = noted
    const call: CallRecord = {
      number,
      at,
      interface: this.#cable.interface,
      operation: null,
      method: 'GET',
      url: redactedUrl((request.url ?? '').slice(0, LONGEST_URL)),
      status,
      durationMs: Math.round((monotonicNow() - startedAt) * 1000) / 1000,
      userId: null,
      refusal,
      ...(fault !== undefined && { fault }),
      request: {
        headers: redactedHeaders(request.headers, this.#header),
        body: sent === undefined ? null : withoutSecrets(sent),
      },
      response: { headers: {}, body: answered ?? null },
    }
    return {
      number,
      interface: call.interface,
      operation: null,
      method: call.method,
      url: call.url,
      status,
      size: JSON.stringify(call).length,
      toRecord: () => call,
    }
  }
}

const withoutSecrets = (sent: unknown): unknown => JSON.parse(redacted(JSON.stringify(sent))) as unknown
