/** Moves the addresses of a recording to the server and the workspace of its replay. */
import { escapeRegExp } from '../../state/text/escaping.ts'

export class Places {
  /** The id and the account number of the recorded workspace with those of the new one, if they differ. */
  readonly #pairs: readonly (readonly [string, string])[]

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.#pairs = pairs.filter(([left, right]) => left !== right)
  }

  /** Returns a path with the new workspace. */
  inPath(path: string): string {
    let moved = path
    for (const [left, right] of this.#pairs) {
      // The account number occurs only behind "accounts".
      const before = /^\d+$/.test(left) ? '/accounts/' : '/'
      moved = moved.replace(new RegExp(`${before}${escapeRegExp(left)}(?=[/?#]|$)`), `${before}${right}`)
    }
    return moved
  }

  /** Returns a JSON value in which URLs begin with another origin and name the new workspace. */
  inValue<Value>(value: Value, from: string | undefined, to: string): Value {
    if ((from === undefined || from === to) && this.#pairs.length === 0) return value
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return value
    const accounts = this.#pairs.filter(([left]) => /^\d+$/.test(left))
    return JSON.parse(text, (name: string, each: unknown) => {
      if (typeof each === 'string') return this.#inText(each, from, to)
      for (const [left, right] of accounts) {
        if (name === 'account_id' && each === Number(left)) return Number(right)
        if (name === 'account' && isAccount(each, Number(left))) return { ...each, id: Number(right) }
      }
      return each
    }) as Value
  }

  #inText(text: string, from: string | undefined, to: string): string {
    const origin = from === undefined ? undefined : from.replace(/(?<!\/)\/+$/, '')
    if (origin === undefined || !text.includes(origin)) {
      return /^\/|:\/\//.test(text) ? this.inPath(text) : text
    }
    return text
      .split(origin)
      .map((part, index) => (index === 0 ? part : this.inPath(part)))
      .join(to)
  }
}

const isAccount = (value: unknown, id: number): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === id
