/** Moves the addresses of a recording to the server and the workspace of its replay. */
import { escapeRegExp } from '@suite-sim/kit/text/escaping'

/** The paths that continue with the id of a workspace: the control plane, files, and the pages of the interfaces. */
export const WORKSPACE_PATHS: readonly string[] = [
  '/_sim/workspaces',
  '/files',
  '/chat/widget',
  '/einvoice-external/invoices',
  '/einvoicing/recipient',
  '/grid/player',
  '/integration-pay/checkout',
  '/meetings/meet',
  '/pay/links',
  '/recruiting/jobs',
]

/** The paths of pages whose next segment is the slug of a form. It ends with the id of the workspace. */
export const SLUG_PATHS: readonly string[] = ['/forms/f', '/forms/embed']

/** What separates a slug from the workspace. */
const SEPARATOR = '--'

const BEFORE_ID = [
  `(?:${WORKSPACE_PATHS.map(escapeRegExp).join('|')})/`,
  `(?:${SLUG_PATHS.map(escapeRegExp).join('|')})/[^/?#]+?${SEPARATOR}`,
  // Which workspace a form is sent to.
  String.raw`/forms/api/forms/[^/?#]+/submit\?(?:[^#]*&)?workspace=`,
].join('|')

/** The paths with the account number. */
const BEFORE_ACCOUNT = '/chat/api/v1/accounts/'

/** Returns what is before and after the id of a workspace in a path; null if the path does not name it. */
export function splitAtWorkspace(path: string, id: string): { before: string; after: string } | null {
  const { atStart } = placeOf(id, '', BEFORE_ID)
  const before = atStart.exec(path)?.[1]
  return before === undefined ? null : { before, after: path.slice(before.length + id.length) }
}

interface Place {
  readonly left: string
  readonly right: string
  /** Finds the place in a text that starts with a path. */
  readonly atStart: RegExp
  /** Finds it behind the hosts of a text. */
  readonly behindHosts: RegExp
}

function placeOf(left: string, right: string, before: string): Place {
  const path = `(${before})${escapeRegExp(left)}(?=[/?#&]|$)`
  return {
    left,
    right,
    atStart: new RegExp(`^${path}`),
    behindHosts: new RegExp(`(?<=^|://[^/?#\\s]{1,300})${path}`, 'g'),
  }
}

export interface Moves {
  readonly workspace: readonly [from: string, to: string]
  readonly account: readonly [from: string, to: string]
}

export class Places {
  readonly #places: readonly Place[]
  readonly #workspace: readonly [string, string]
  /** The account number, if it differs. */
  readonly #account: readonly [number, number] | null

  constructor(moves: Moves | null) {
    const places = moves
      ? [placeOf(...moves.workspace, BEFORE_ID), placeOf(...moves.account, BEFORE_ACCOUNT)]
      : []
    this.#places = places.filter(({ left, right }) => left !== right)
    this.#workspace = moves?.workspace ?? ['', '']
    const [from = '', to = ''] = moves?.account ?? []
    this.#account = from === to ? null : [Number(from), Number(to)]
  }

  /** Returns a path with the new workspace. */
  inPath(path: string): string {
    return this.#places.reduce((moved, { atStart, right }) => withRight(moved, atStart, right), path)
  }

  /** Returns a JSON value in which URLs begin with another origin and name the new workspace. */
  inValue<Value>(value: Value, from: string | undefined, to: string): Value {
    if ((from === undefined || from === to) && this.#places.length === 0) return value
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return value
    return JSON.parse(text, (name: string, each: unknown) => {
      if (typeof each === 'string') return name === 'slug' ? this.#inSlug(each) : this.#inText(each, from, to)
      if (this.#account) {
        const [left, right] = this.#account
        if (name === 'account_id' && each === left) return right
        if (name === 'account' && isAccount(each, left)) return { ...each, id: right }
      }
      return each
    }) as Value
  }

  #inSlug(slug: string): string {
    const [left, right] = this.#workspace
    const end = SEPARATOR + left
    return left !== '' && slug.endsWith(end) ? slug.slice(0, -left.length) + right : slug
  }

  #inText(text: string, from: string | undefined, to: string): string {
    const origin = from === undefined ? undefined : from.replace(/(?<!\/)\/+$/, '')
    if (origin === undefined || !text.includes(origin)) {
      return /^\/|:\/\//.test(text)
        ? this.#places.reduce((moved, { behindHosts, right }) => withRight(moved, behindHosts, right), text)
        : text
    }
    return text
      .split(origin)
      .map((part, index) => (index === 0 ? part : this.inPath(part)))
      .join(to)
  }
}

/** The new text is a function's, because $ has a meaning in a text. */
const withRight = (text: string, place: RegExp, right: string): string =>
  text.replace(place, (_found, before: string) => before + right)

const isAccount = (value: unknown, id: number): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === id
