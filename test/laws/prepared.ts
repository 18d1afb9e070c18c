/**
 * An operation with valid calls, for tests of refusals. Refusals change nothing, so they share one workspace;
 * accepted calls use a new one.
 */
import { expect } from 'vitest'
import type { Dialect } from '../../src/http/definition/dialect.ts'
import type { Reason } from '../../src/state/model/refusal.ts'
import { freshApp, type Answer, type CallOptions, type FreshApp } from '../support/app.ts'
import { preparedCall, type PreparedCall, type Subject } from '../support/examples.ts'
import { publishedOf } from '../support/published.ts'

/** The context in which bad calls are made. */
export interface CallContext extends PreparedCall {
  readonly fresh: FreshApp
  /** The prepared call with another body or key. */
  readonly send: (options: CallOptions) => Promise<Answer>
  /** The prepared call with another path. */
  readonly get: (path: string) => Promise<Answer>
}

export class Prepared {
  readonly subject: Subject
  readonly dialect: Dialect
  #maker: Promise<CallContext> | null = null
  /** All records of a context before the first refusal, which no refusal may change. */
  readonly #known = new WeakMap<CallContext, unknown>()

  constructor(subject: Subject) {
    this.subject = subject
    this.dialect = publishedOf(subject.route.interface).definition.dialect
  }

  /** Prepares the call in a new workspace. */
  async fresh(): Promise<CallContext> {
    const fresh = await freshApp()
    const prepared = await preparedCall(fresh, this.subject)
    const { call, method, path, query, sent } = prepared
    return {
      ...prepared,
      fresh,
      send: (options) => call(method, path + query, options),
      get: (otherPath) => call(method, otherPath, sent),
    }
  }

  /** Prepares the call in the workspace shared by all refusals of this operation. */
  shared(): Promise<CallContext> {
    return (this.#maker ??= this.fresh())
  }

  /** Prepares a call that must succeed: reading changes nothing, so it needs no workspace of its own. */
  async accepting(): Promise<CallContext> {
    if (this.subject.route.method !== 'GET') return this.fresh()
    const shared = await this.shared()
    // A download may store what it was made from.
    this.#known.delete(shared)
    return shared
  }

  /** Checks that every call is refused for the reason, and that no record changes. */
  async refuses(
    reason: Reason,
    calls: (maker: CallContext) => Promise<Answer>[],
    maker: Promise<CallContext> = this.shared(),
  ): Promise<Answer[]> {
    const prepared = await maker
    const { app } = prepared.fresh
    const others = app.workspaces.tenantIds().length
    // `calls` may create keys and workspaces first; requests are sent in the next tick.
    const made = calls(prepared)
    if (app.workspaces.tenantIds().length > others) this.#known.delete(prepared)
    const before = this.#known.get(prepared) ?? prepared.fresh.rows()
    this.#known.set(prepared, before)
    const changes = changesOf(prepared)
    const answers = await Promise.all(made)
    expect(answers.map(({ status, text }) => `${String(status)} ${text.slice(0, 300)}`)).toEqual(
      answers.map(({ text }) => `${String(this.dialect.refusals[reason].status)} ${text.slice(0, 300)}`),
    )
    // Most refusals write nothing, not even to tables without records.
    if (changesOf(prepared) !== changes) expect(prepared.fresh.rows()).toEqual(before)
    return answers
  }

  /** Checks that the response is a success. */
  mustSucceed({ status, text }: Answer): void {
    expect(Object.keys(this.subject.route.operation.answers), text).toContain(String(status))
  }
}

/** The number of rows that the database has written since it was opened. */
const changesOf = ({ fresh: { app } }: CallContext): unknown =>
  app.workspaces.database.sqlite.prepare('SELECT total_changes()').pluck().get()
