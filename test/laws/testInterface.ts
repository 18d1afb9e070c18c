/** A small test interface with one list and optional faults, to test the list rules. */
import { Type } from '@sinclair/typebox'
import { createPart } from '../../src/http/lifecycle/createPart.ts'
import { cursors } from '../../src/http/lists/cursors.ts'
import { COMMON_REFUSALS, type Dialect } from '../../src/http/definition/dialect.ts'
import type { Published, Resource } from '../../src/http/definition/definition.ts'
import { operation } from '../../src/http/definition/operation.ts'
import { cursorPaging } from '../../src/http/definition/paging.ts'
import { OneOf, Nullable } from '../../src/http/schemas/schemas.ts'
import { createServerFactory } from '../../src/http/server/server.ts'
import { documented } from '../../src/state/model/fidelity.ts'
import type { Call } from '../support/app.ts'
import { loadedInterface } from '../support/definitions.ts'
import { freshState } from '../support/state.ts'
import type { FilledList } from './listRules.ts'
import { Reader, severalsOf } from './pages.ts'

/** The faults that it can have. */
export type Fault =
  | 'a page is shorter than its limit'
  | 'a record is missing between pages'
  | 'a record appears twice'
  | 'two records are out of order'
  | 'desc does not reverse ties'
  | 'the default order is wrong'
  | 'any sort is accepted'
  | 'any limit is accepted'
  | 'a broken cursor returns the first page'
  | 'a cursor works with any query'
  | 'a cursor works in any workspace'
  | 'a filter is ignored'
  | 'a filter reverses the order'
  | 'records of all workspaces are shown'
  | 'the list never ends'

interface Pet {
  readonly id: string
  readonly name: string
  readonly kind: 'cat' | 'dog'
  readonly createdAt: string
}

const COUNT = 107

/** Three records share each time, and ten share each name. */
const PETS: readonly Pet[] = Array.from({ length: COUNT }, (_, number) => ({
  id: `pet-${String(number)}`,
  name: `${number % 2 === 0 ? 'rex' : 'Ada'} ${String(number % 10)}`,
  kind: number % 3 === 0 ? 'cat' : 'dog',
  createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 1000).toISOString(),
}))

const dialect: Dialect = {
  credential: { kind: 'bearer' },
  refusals: COMMON_REFUSALS,
  paging: cursorPaging({ items: 'data', limit: 'limit', cursor: 'cursor', next: 'next', hasMore: 'more' }),
  body: ({ code, message }) => ({ error: code, message }),
  errorSchema: Type.Object({ error: Type.String(), message: Type.String() }),
}

const PetShape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: OneOf(['cat', 'dog']),
  createdAt: Type.String({ format: 'date-time' }),
})

const SORTS = ['created_at', 'name'] as const

const limit = { minimum: 1, maximum: 100, default: 20 }

function pets(has: (fault: Fault) => boolean, mustHave: ReadonlySet<string>): Resource {
  const sealer = cursors('secret')
  return async (app) => {
    app.get(
      '/pets',
      {
        schema: {
          querystring: Type.Object({
            cursor: Type.Optional(Type.String()),
            limit: has('any limit is accepted')
              ? Type.Unsafe<number>({ ...limit, type: ['integer', 'string'] })
              : Type.Integer(limit),
            sort: has('any sort is accepted')
              ? Type.Unsafe<string>({ type: 'string', default: 'created_at' })
              : OneOf(SORTS, { default: 'created_at' }),
            order: OneOf(['asc', 'desc'], { default: 'desc' }),
            kind: Type.Optional(OneOf(['cat', 'dog'])),
          }),
        },
        config: operation({
          id: 'listPets',
          summary: 'List pets',
          tag: 'Pets',
          fidelity: documented,
          answers: {
            200: Type.Object({
              data: Type.Array(PetShape),
              next: Nullable(Type.String()),
              more: Type.Boolean(),
            }),
          },
        }),
      },
      ({ query, workspace, url }) => {
        const { kind, sort } = query
        const order = has('the default order is wrong') && !url.includes('order=') ? 'asc' : query.order
        const visible = mustHave.has(workspace.id) || has('records of all workspaces are shown') ? PETS : []
        const keyOf = (pet: Pet): string => (sort === 'name' ? pet.name.toLowerCase() : pet.createdAt)
        const matching = visible.filter(
          (pet) => kind === undefined || has('a filter is ignored') || pet.kind === kind,
        )
        const compared = (a: Pet, b: Pet): number => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0)
        const turned = has('desc does not reverse ties')
          ? matching.toSorted((a, b) => compared(b, a))
          : matching.toSorted(compared).reverse()
        const sorted = order === 'desc' ? turned : matching.toSorted(compared)
        if (has('two records are out of order')) sorted.push(...sorted.splice(50, 1))
        if (has('a filter reverses the order') && kind !== undefined) sorted.reverse()

        const scope = JSON.stringify([
          has('a cursor works in any workspace') ? '' : workspace.id,
          ...(has('a cursor works with any query') ? [] : [sort, order, kind]),
        ])
        let start = 0
        if (query.cursor) {
          try {
            const [, place] = sealer.open(query.cursor, scope)
            start = place
          } catch (error) {
            if (!has('a broken cursor returns the first page')) throw error
          }
        }
        const pageLimit = query.limit
        const size = has('a page is shorter than its limit') ? Math.min(pageLimit, 50) : pageLimit
        const end = start + size
        const isLast = end >= sorted.length && !has('the list never ends')
        const skipped = has('a record is missing between pages') ? 1 : has('a record appears twice') ? -1 : 0
        const next = isLast ? null : sealer.seal(['', Math.max(1, end + skipped)], scope)
        return { data: sorted.slice(start, end), next, more: next !== null }
      },
    )
  }
}

/** Publishes the test interface and fills its list with more records than one page holds. */
export async function testInterface(...faults: readonly Fault[]): Promise<{
  readonly published: Published
  readonly filled: FilledList
}> {
  const state = freshState()
  const twin = state.tenancy()
  const emptyTenancy = state.tenancy()
  const mustHave = new Set([state.workspace.id, twin.workspace.id])
  const definition = loadedInterface({
    name: 'toy',
    title: 'Toy',
    description: 'Pets.',
    basePath: '/toy',
    dialect,
    resources: [pets((fault) => faults.includes(fault), mustHave)],
  })
  const { server, ...published } = await createPart(definition, {
    makeServer: createServerFactory(false),
    workspaces: state.workspaces,
    rateLimits: false,
    documented: () => null,
    equip: () => undefined,
  })
  await server.ready()
  const keyOf = ({ workspace }: Pick<typeof state, 'workspace'>): string =>
    state.workspaces.keys.add(workspace, {}).key
  const own = keyOf(state)
  const call: Call = async (method, url, { key = own } = {}) => {
    const headers = { authorization: `Bearer ${String(key)}` }
    const { statusCode, payload } = await server.inject({ method, url, headers })
    return { status: statusCode, headers: {}, text: payload, body: JSON.parse(payload) as unknown }
  }
  const [list] = severalsOf([published]).lists
  if (!list) throw new Error('the toy has no list')
  return {
    published,
    filled: {
      reader: new Reader(list, call, '/pets'),
      expected: PETS.map((matching) => ({ id: matching.id, stored: { ...matching }, related: [] })),
      keyOfEmptyWorkspace: keyOf(emptyTenancy),
      keyOfCopy: keyOf(twin),
      withAllSizes: false,
      changeable: () => Promise.reject(new Error('nothing adds to it')),
    },
  }
}
