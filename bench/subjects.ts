/**
 * The measurements of the newer interfaces: single reads and pages of a large record set, and a create with
 * its delivery. The records are copies of the demo's with other ids.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { FixedAnswer } from './companions/bare-answers.ts'
import { ROOT, scratch } from './processes.ts'

/** The key of the demo. */
const KEY = 'demo-key'

type DemoRecord = Readonly<Record<string, unknown>>
type Sets = Readonly<Record<string, readonly DemoRecord[]>>

/** A record set with copies: its section and name in a snapshot, and the function that varies a copy. */
export interface Grown {
  readonly section: string
  readonly set: string
  readonly copy: (record: DemoRecord, index: number) => DemoRecord
  /** The divisor of the number of copies. */
  readonly fewer?: number
}

export interface Subject {
  readonly name: string
  /** The name in control plane subscriptions. */
  readonly interface: string
  readonly header: string
  readonly grown: readonly Grown[]
  readonly reads?: {
    readonly what: string
    readonly one: (index: number) => string
    /** Returns the path of a page, from 1. */
    readonly page: (number: number) => string
  }
  readonly creates?: {
    readonly what: string
    readonly path: string
    readonly body: (index: number) => object
  }
}

const FIRST = Date.parse('2026-01-01T00:00:00.000Z')
const SECOND = 1000

/** Returns hexadecimal digits, spread over an index like the simulator's ids. */
export const digits = (index: number, length: number): string =>
  createHash('sha256').update(String(index)).digest('hex').slice(0, length)

const uuid = (index: number): string =>
  digits(index, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

/** Returns the instant so many ms after the first record. */
export const instantOf = (ms: number): string => new Date(FIRST + ms).toISOString()

const at = (index: number): string => instantOf(index * SECOND)
const times = (index: number): DemoRecord => ({ createdAt: at(index), updatedAt: at(index) })

const CHAT = '/chat/api/v1/accounts/1'
const FORM = '/forms/api/v1/forms/5b0f3c1e-7a44-4d0e-9c55-000000000001'
const DEMO = join(ROOT, 'fixtures/small')

const bearer = `authorization: Bearer ${KEY}`

/** Numeric ids of copies start above those of the demo. */
export const COUNTED_FROM = 1000

export const CONVERSATIONS: Grown = {
  section: 'conversations',
  set: 'conversations',
  copy: (conversation, index) => ({
    ...conversation,
    id: String(COUNTED_FROM + index),
    vip: index % 100 === 0,
    lastActivityAt: at(index),
    ...times(index),
  }),
}

export const INVOICES: Grown = {
  section: 'tax-invoicing',
  set: 'invoices',
  copy: (invoice, index) => ({
    ...invoice,
    id: `inv_${digits(index, 20)}`,
    uuid: uuid(index).toUpperCase(),
    serie: 'BENCH',
    folio: 1 + index,
    date: at(index),
    stampedAt: at(index),
    createdAt: at(index),
  }),
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'signage',
    interface: 'signage',
    header: bearer,
    grown: [
      {
        section: 'signage',
        set: 'media',
        copy: (media, index) => ({
          ...media,
          id: `med_${digits(index, 20)}`,
          name: `Picture ${String(index)}`,
          ...times(index),
        }),
      },
    ],
    reads: {
      what: 'media',
      one: (index) => `/grid/v1/media/med_${digits(index, 20)}`,
      page: (number) => `/grid/v1/media?per_page=25&page=${String(number)}`,
    },
    creates: {
      what: 'playlist',
      path: '/grid/v1/playlists',
      body: (index) => ({ name: `Playlist ${String(index)}` }),
    },
  },
  {
    name: 'recruiting',
    interface: 'recruiting',
    header: bearer,
    grown: [
      {
        section: 'recruiting',
        set: 'candidates',
        copy: (candidate, index) => ({
          ...candidate,
          id: `cand_${digits(index, 20)}`,
          name: `Candidate ${String(index)}`,
          email: `candidate.${String(index)}@example.com`,
          ...times(index),
        }),
      },
    ],
    reads: {
      what: 'candidates',
      one: (index) => `/recruiting/v1/candidates/cand_${digits(index, 20)}`,
      page: (number) => `/recruiting/v1/candidates/search?per_page=25&page=${String(number)}`,
    },
    creates: {
      what: 'vacancy',
      path: '/recruiting/v1/vacancies',
      body: (index) => ({ title: `Vacancy ${String(index)}`, description: 'You build and repair seats.' }),
    },
  },
  {
    name: 'tax invoicing',
    interface: 'tax-invoicing',
    header: bearer,
    grown: [INVOICES],
    reads: {
      what: 'invoices',
      one: (index) => `/einvoicing/v1/invoices/inv_${digits(index, 20)}`,
      page: (number) => `/einvoicing/v1/invoices?per_page=25&page=${String(number)}`,
    },
  },
  {
    name: 'conversations',
    interface: 'conversations',
    header: `api_access_token: ${KEY}`,
    grown: [CONVERSATIONS],
    reads: {
      what: 'conversations',
      one: (index) => `${CHAT}/conversations/${String(COUNTED_FROM + index)}`,
      page: (number) => `${CHAT}/conversations?page=${String(number)}`,
    },
    creates: {
      what: 'message',
      path: `${CHAT}/conversations/1/messages`,
      body: (index) => ({ content: `Your order ${String(index)} leaves tomorrow.` }),
    },
  },
  {
    name: 'meetings',
    interface: 'meetings',
    header: `x-api-key: ${KEY}`,
    grown: [],
    creates: {
      what: 'meeting',
      path: '/meetings/public/meetings',
      body: (index) => ({ title: `Meeting ${String(index)}` }),
    },
  },
  {
    name: 'forms',
    interface: 'forms',
    header: `X-API-Key: ${KEY}`,
    grown: [
      {
        section: 'forms',
        set: 'responses',
        copy: (response, index) => ({
          ...response,
          id: uuid(index),
          startedAt: at(index),
          completedAt: at(index),
          createdAt: at(index),
        }),
      },
    ],
    reads: {
      what: 'responses',
      one: (index) => `${FORM}/responses/${uuid(index)}`,
      page: (number) => `${FORM}/responses?limit=25&page=${String(number)}`,
    },
    creates: {
      what: 'form',
      path: '/forms/api/v1/forms',
      body: (index) => ({ title: `Form ${String(index)}` }),
    },
  },
]

/** Writes a fixture file: the demo with copies in some record sets. */
export function grownFixture(grown: readonly Grown[], count: number): string {
  const file = scratch(`grown-${grown.map(({ set }) => set).join('-')}.json`)
  const out = openSync(file, 'w')
  const sections = ['workspace', 'files', ...new Set(grown.map(({ section }) => section))]
  writeSync(out, '{')
  for (const section of sections) {
    const records = JSON.parse(readFileSync(join(DEMO, `${section}.json`), 'utf8')) as Sets
    if (section === 'workspace') writeSync(out, JSON.stringify(records).slice(1, -1))
    else {
      writeSync(out, `,${JSON.stringify(section)}:{`)
      Object.entries(records).forEach(([set, demo], index) => {
        writeSync(out, `${index > 0 ? ',' : ''}${JSON.stringify(set)}:[`)
        demo.forEach((record, position) => {
          writeSync(out, `${position > 0 ? ',' : ''}${JSON.stringify(record)}`)
        })
        const copies = grown.find((each) => each.section === section && each.set === set)
        const copyCount = count / (copies?.fewer ?? 1)
        for (let copy = 0; copies && demo[0] && copy < copyCount; copy++) {
          writeSync(out, `,\n${JSON.stringify(copies.copy(demo[0], copy))}`)
        }
        writeSync(out, ']')
      })
      writeSync(out, '}')
    }
  }
  writeSync(out, '}')
  closeSync(out)
  return file
}

export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The route of bare Fastify with the same response. */
  readonly route: string
  readonly body?: object
}

/** Returns the 2xx response of a server. */
export async function answerOf(
  { url }: { readonly url: string },
  header: string,
  { method, path, route, body }: Asked,
): Promise<FixedAnswer> {
  const [name = '', value = ''] = header.split(': ')
  const answer = await fetch(url + path, {
    method,
    headers: { [name]: value, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} got ${String(answer.status)}: ${text}`)
  return { method, route, status: answer.status, body: JSON.parse(text) as unknown }
}
