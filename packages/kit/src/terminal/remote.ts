/** A client of the control plane for the commands. */
import { fillPath } from '../paths.ts'
import { UsageError, CommandError } from './problem.ts'
import type { ServerSettings, WorkspaceSettings } from './settings.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An entry of the timeline stream. */
export interface StreamEntry {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly title: string
  readonly causedBy: string | null
  readonly ref: string | null
  /** "succeeded", "refused" or "failed"; only of calls and delivery attempts. */
  readonly outcome?: string
  /** The name that the caller of a call sent in X-Sim-Caller. */
  readonly caller?: string
  /** What a local URL answered; only `listen` adds it. */
  readonly forwarded?: object
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Fills a path template with user input. Throws a Misuse if a value cannot be part of a path. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  try {
    return fillPath(template, values)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export class Remote {
  readonly url: string
  readonly #token: string | undefined
  readonly #workspace: string | undefined

  /** `workspace` is the value of --workspace, if the command has this option. */
  constructor(url: string, token?: string, workspace?: string) {
    // People also copy the URL of the control plane.
    this.url = url.replace(/(?<!\/)\/+$/, '').replace(/\/_sim$/, '')
    this.#token = token
    this.#workspace = workspace
  }

  /** Returns the parsed response body; null if it is empty. `path` is below /_sim. Errors become a CommandError. */
  async call<Result = unknown>(method: Method, path: string, body?: unknown): Promise<Result> {
    const text = await this.text(method, path, body)
    return (text === '' ? null : parseBody(text, this.url)) as Result
  }

  /** Returns the response body as text. Errors become a CommandError. */
  async text(method: Method, path: string, body?: unknown): Promise<string> {
    const { status, text } = await this.ask(method, `/_sim${path}`, body)
    if (status >= 400) throw this.#errorIn(text, status)
    return text
  }

  /** Returns the bytes of a file. `path` is below /_sim. */
  async bytes(path: string): Promise<Uint8Array> {
    const response = await this.#fetch('GET', `/_sim${path}`, undefined)
    if (response.status >= 400) throw this.#errorIn(await response.text(), response.status)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Returns the response of any status. `path` starts at the root of the server. */
  async ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    const response = await this.#fetch(method, path, body, signal)
    return { status: response.status, text: await response.text() }
  }

  /** Returns the address of a WebSocket, and the headers of the request that opens it. `path` is below /_sim. */
  webSocket(path: string): { url: string; headers: Record<string, string> } {
    return { url: `${this.url.replace(/^http/i, 'ws')}/_sim${path}`, headers: this.#credentials() }
  }

  #errorIn(text: string, status: number): CommandError {
    const message = errorMessageIn(text, status)
    return new CommandError(this.#workspace === undefined ? message : addWorkspaceHint(message))
  }

  #credentials(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }
  }

  #fetch(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    return this.send(path, {
      method,
      headers: {
        ...this.#credentials(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  /** Sends a request without the credentials of the control plane. `path` starts at the root of the server. */
  async send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, { ...init, redirect: 'manual' })
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw new CommandError(`${this.url} does not respond: ${causeOf(error)}`)
    }
  }
}

function parseBody(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`${url} responds, but is not a suite simulator`)
  }
}

/** Adds how to choose the workspace to the refusal of a control token of another workspace. */
export function addWorkspaceHint(message: string): string {
  const [, workspace] = /^This control token opens only the workspace (\S+)\.$/.exec(message) ?? []
  return workspace === undefined
    ? message
    : `${message} Choose it with --workspace ${workspace} or SIM_WORKSPACE=${workspace}.`
}

function errorMessageIn(text: string, status: number): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return `the server responded with ${String(status)}`
  }
}

/** Codes of certificates that no known authority has signed. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+_(?:LOCALLY|SIGNATURE))$/

const TRUST = '; to trust its certificate, set NODE_EXTRA_CA_CERTS to the file of the certificate'

/** Returns the message of the cause, because the message of fetch itself is only "fetch failed". */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return (cause.message || code || cause.name) + (UNTRUSTED.test(code) ? TRUST : '')
}

export const remoteOf = ({
  url,
  adminToken,
  workspace,
}: ServerSettings & Partial<WorkspaceSettings>): Remote => new Remote(url, adminToken, workspace)

/** Returns the path of a workspace below /_sim. */
export const pathOf = (workspace: string): string => pathTo('/workspaces/{workspace}', { workspace })
