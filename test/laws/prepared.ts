/**
 * An operation with calls of it that would be taken, for laws about what is refused. What is refused changes nothing,
 * so all of that is asked of one workspace; what is taken is asked of a workspace of its own.
 */
import { expect } from 'vitest'
import type { Dialect } from '../../src/http/dialect.ts'
import type { Reason } from '../../src/state/refusal.ts'
import { freshApp, type Answer, type CallOptions, type FreshApp } from '../support/app.ts'
import { preparedCall, type PreparedCall, type Subject } from '../support/examples.ts'
import { publishedOf } from '../support/published.ts'

/** What a list of bad calls is made with. */
export interface Maker extends PreparedCall {
  readonly fresh: FreshApp
  /** The prepared call with something else in place of its body or key. */
  readonly send: (options: CallOptions) => Promise<Answer>
  /** The prepared call with another path. */
  readonly get: (path: string) => Promise<Answer>
}

export class Prepared {
  readonly subject: Subject
  readonly dialect: Dialect
  #maker: Promise<Maker> | null = null
  /** All records of the shared workspace after so many changes of the database. */
  #known: { readonly changes: unknown; readonly records: unknown } | null = null

  constructor(subject: Subject) {
    this.subject = subject
    this.dialect = publishedOf(subject.route.interface).definition.dialect
  }

  /** Ready to be made in a workspace that nobody else has. */
  async fresh(): Promise<Maker> {
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

  /** In the workspace of all refusals of this operation. */
  shared(): Promise<Maker> {
    return (this.#maker ??= this.fresh())
  }

  /** That every one of the calls is refused for the reason, and that nothing has changed after them. */
  async refuses(
    reason: Reason,
    calls: (maker: Maker) => Promise<Answer>[],
    maker: Promise<Maker> = this.shared(),
  ): Promise<Answer[]> {
    const prepared = await maker
    // Who makes calls may make keys and workspaces for them first; nothing is sent before the next turn.
    const made = calls(prepared)
    const before = this.#recordsOf(prepared)
    const answers = await Promise.all(made)
    expect(answers.map(({ status, text }) => `${String(status)} ${text.slice(0, 300)}`)).toEqual(
      answers.map(({ text }) => `${String(this.dialect.refusals[reason].status)} ${text.slice(0, 300)}`),
    )
    expect(this.#recordsOf(prepared)).toEqual(before)
    return answers
  }

  /** Every record, read anew only if the database has changed: most refusals write nothing. */
  #recordsOf({ fresh }: Maker): unknown {
    const changes = fresh.app.workspaces.database.sqlite.prepare('SELECT total_changes()').pluck().get()
    if (this.#known?.changes !== changes) this.#known = { changes, records: fresh.dump() }
    return this.#known?.records
  }

  /** That the call is answered with success. */
  mustBeTaken({ status, text }: Answer): void {
    expect(Object.keys(this.subject.route.operation.answers), text).toContain(String(status))
  }
}
