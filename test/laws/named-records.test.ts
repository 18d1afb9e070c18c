/** Invariant of all reads: a query parameter that refers to a record refuses an unknown record, or returns a hint. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import { queryProperties } from '../../src/http/openapi/reasons.ts'
import type { FreshApp } from '../support/app.ts'
import { everyOperation, requiredQuery, type Subject } from '../support/examples.ts'
import { demoWorkspace } from './allActions.ts'

/** Matches the names of parameters that hold the id of another record. */
const HOLDS_AN_ID = /(^|_)u?u?id$|[a-z](Id|Uuid)$/

interface Parameter {
  readonly title: string
  readonly subject: Subject
  readonly name: string
}

const namesOf = ({ operation }: MountedRoute): string[] => Object.keys(operation.names ?? {})

const parameters = everyOperation().flatMap((subject): Parameter[] => {
  const { route } = subject
  if (route.method !== 'GET') return []
  const held = Object.keys(queryProperties(route)).filter((name) => HOLDS_AN_ID.test(name))
  return [...new Set([...held, ...namesOf(route)])].map((name) => ({
    title: `${route.interface} ${route.operation.id} ${name}`,
    subject,
    name,
  }))
})

/** Existing values in the demo workspace, by parameter or by the parameter of an operation. */
const EXISTING: Readonly<Record<string, readonly [section: string, list: string, column?: string]>> = {
  group_id: ['signage', 'groups'],
  folder_id: ['signage', 'media', 'folderId'],
  'signage listMedia tag': ['signage', 'media', 'tags'],
  screen_id: ['signage', 'screens'],
  media_id: ['signage', 'media'],
  playlist_id: ['signage', 'playlists'],
  vacancy_id: ['recruiting', 'vacancies'],
  tags: ['recruiting', 'candidates', 'tags'],
  pipeline_id: ['crm', 'pipelines'],
  stage_id: ['crm', 'stages'],
  segment_id: ['crm', 'segments'],
  contact_id: ['crm', 'contacts'],
  deal_id: ['crm', 'deals'],
  entity_id: ['crm', 'contacts'],
  'crm listContacts tag': ['crm', 'contacts', 'tags'],
  link_id: ['payments', 'links'],
  invoice_uuid: ['tax-invoicing', 'invoices', 'uuid'],
  inbox_id: ['conversations', 'inboxes'],
  team_id: ['conversations', 'teams'],
  label: ['conversations', 'conversations', 'labels'],
  labels: ['conversations', 'conversations', 'labels'],
  'labels[]': ['conversations', 'conversations', 'labels'],
}

/** Other parameters that a parameter requires. */
const BESIDE: Readonly<Record<string, string>> = { entity_id: 'entity_type=contact' }

let fresh: FreshApp

beforeAll(async () => {
  fresh = await demoWorkspace()
})

function existing({ title, name }: Parameter): string {
  if (name === 'owner_id') return fresh.user.id
  const place = EXISTING[title] ?? EXISTING[name]
  if (!place) throw new Error(`The test knows no existing record for ${title}.`)
  const [section, list, column = 'id'] = place
  const set = fresh.app.records.sets.find((each) => each.section === section && each.name === list)
  const rows = set ? fresh.app.records.page(fresh.workspace, set, 0, 500) : []
  const [found] = rows.flatMap(({ record }) => [record[column] ?? []].flat())
  if (typeof found !== 'string') throw new Error(`The demo has no ${section}.${list}.${column}.`)
  return found
}

/** A value that the schema of the parameter accepts and that no record has. */
function absent({ subject: { route }, name }: Parameter): string {
  const { type, format, pattern } = queryProperties(route)[name] as Readonly<Record<string, unknown>>
  if (type === 'integer') return '999999999'
  if (format === 'uuid' || String(pattern).includes('8}')) return '00000000-0000-4000-8000-000000000000'
  return 'does-not-exist'
}

async function callWith({ subject, name }: Parameter, value: string) {
  const { route } = subject
  const others = requiredQuery(subject).slice(1).split('&')
  const query = [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`, BESIDE[name] ?? '', ...others]
    .filter((part, index) => index === 0 || (part !== '' && !part.startsWith(`${name}=`)))
    .join('&')
  const path = route.path.replace('{account_id}', String(fresh.workspace.tenantId))
  const { status, text } = await fresh.at(route.interface)('GET', `${path}?${query}`)
  const journal = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const [{ id }] = ((await fresh.call('GET', `${journal}?limit=1`)).body as { data: [{ id: string }] }).data
  const { hints } = (await fresh.call('GET', `${journal}/${id}`)).body as {
    hints: { code: string; message: string }[]
  }
  return { status, text, hints: hints.filter(({ code }) => code === 'no_such_record') }
}

test('finds parameters that refer to records', () => {
  const titles = parameters.map(({ title }) => title)
  expect(titles).toContain('signage listScreens group_id')
  expect(titles).toContain('recruiting listInterviews vacancy_id')
  expect(titles).toContain('tax-invoicing listPaymentReceipts invoice_uuid')
  expect(titles.length).toBeGreaterThan(20)
})

test('names only parameters that the operation has', () => {
  const wrong = everyOperation().flatMap(({ title, route }) =>
    namesOf(route)
      .filter((name) => !(name in queryProperties(route)))
      .map((name) => `${title} ${name}`),
  )
  expect(wrong).toEqual([])
})

describe.each(parameters.map((parameter) => [parameter.title, parameter] as const))(
  '%s',
  (_title, parameter) => {
    test('refuses an unknown record or returns a hint', async () => {
      const value = absent(parameter)
      const { status, text, hints } = await callWith(parameter, value)
      if (status >= 400) {
        expect([404, 422], text).toContain(status)
        expect(text).toContain(value)
        return
      }
      expect(hints.map(({ message }) => message)).toEqual([
        expect.stringMatching(new RegExp(` names the [a-z ]+ ${value}, which does not exist\\.$`)),
      ])
      expect(hints[0]?.message.startsWith(`${parameter.name} names`)).toBe(true)
    })

    test('returns no hint for an existing record', async () => {
      const { status, text, hints } = await callWith(parameter, existing(parameter))
      expect(status, text).toBe(200)
      expect(hints).toEqual([])
    })
  },
)

/** The hint messages of a call, and its status. */
async function hinted(name: string, path: string): Promise<string[]> {
  await fresh.call('DELETE', `/_sim/workspaces/${fresh.workspace.id}/requests`)
  const { status, text } = await fresh.at(name)('GET', path)
  expect(status, text).toBe(200)
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/hints`)
  return (body as { data: { code: string; message: string }[] }).data
    .filter(({ code }) => code === 'no_such_record')
    .map(({ message }) => message)
}

describe('hint', () => {
  test('is returned for each of several names, also for a cached response', async () => {
    const path = '/candidates/search?tags=no-tag,%20nor-this'
    const expected = [
      'tags names the tag no-tag, which does not exist.',
      'tags names the tag nor-this, which does not exist.',
    ]
    for (let call = 0; call < 3; call += 1)
      expect((await hinted('recruiting', path)).sort()).toEqual(expected)
  })

  test('looks up the first five of many names', async () => {
    const tags = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].join(',')
    expect(await hinted('recruiting', `/candidates/search?tags=${tags}`)).toHaveLength(5)
  })

  test('names the record kind that the query states, and only kinds that the interface has', async () => {
    const named = '/activities?entity_id=nobody&entity_type='
    expect(await hinted('catalog', `${named}deal`)).toEqual([
      'entity_id names the deal nobody, which does not exist.',
    ])
    expect(await hinted('catalog', `${named}order`)).toEqual([])
  })

  test('shortens a long name', async () => {
    const [message] = await hinted('signage', `/media?folder_id=${'a'.repeat(100)}`)
    expect(message).toBe(`folder_id names the folder ${'a'.repeat(100)}, which does not exist.`)
    const [longer] = await hinted('recruiting', `/candidates/search?tags=${'a'.repeat(101)}`)
    expect(longer).toBe(`tags names the tag ${'a'.repeat(100)}…, which does not exist.`)
  })

  test('is not returned for deleted media that were played', async () => {
    const call = fresh.at<{ id: string }>('signage')
    const path = '/analytics/playback?from=2020-01-01&to=2020-12-31&media_id='
    const { body } = await fresh.at<{ data: { id: string }[] }>('signage')('GET', '/media')
    const id = body.data[0]?.id ?? ''
    expect((await call('DELETE', `/media/${id}?force=true`)).status).toBe(204)
    expect(await hinted('signage', path + id)).toEqual([])
    expect(await hinted('signage', `${path}med_none`)).toHaveLength(1)
  })
})
