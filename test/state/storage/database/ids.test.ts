/** Ids: their formats, and the same ids with the same seed. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../../../src/app.ts'
import { randomCredential, type Ids } from '../../../../src/state/storage/database/ids.ts'
import { randomToken } from '@suite-sim/kit/random'
import { refuse } from '../../../../src/state/model/refusal.ts'
import type { Workspace } from '../../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../../support/app.ts'
import { freshCatalog } from '../../../support/catalog.ts'
import { scratchFolder } from '../../../support/process.ts'
import { freshState } from '../../../support/state.ts'

interface Form {
  readonly name: string
  readonly form: RegExp
  readonly draw: (ids: Ids, kind: string) => string
}

const FORMS: readonly [Form, ...Form[]] = [
  { name: 'nanoid', form: /^[A-Za-z0-9_-]{21}$/, draw: (ids, kind) => ids.nano(kind) },
  { name: 'cuid2', form: /^[a-z][a-z0-9]{23}$/, draw: (ids, kind) => ids.cuid2(kind) },
  {
    name: 'UUID version 4',
    form: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    draw: (ids, kind) => ids.uuid(kind),
  },
  { name: 'prefixed', form: /^[a-z]+_[A-Za-z0-9]{20}$/, draw: (ids, kind) => ids.prefixed(`${kind}_`) },
]

const drawn = (workspace: Workspace, { draw }: Form, kind: string, count: number): string[] =>
  workspace.write(() => Array.from({ length: count }, () => draw(workspace.ids, kind)))

describe.each(FORMS)('a $name', (form) => {
  test.each([null, 'a seed'])('has its format and is never repeated, with seed %s', (seed) => {
    const { workspace } = freshState({ seed })

    const ids = drawn(workspace, form, 'thing', 500)

    expect(ids.filter((id) => !form.form.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(500)
  })

  test('uses every allowed character', () => {
    const { workspace } = freshState({ seed: 'a seed' })

    const characters = new Set(drawn(workspace, form, 'thing', 500).join('').replaceAll('thing_', ''))

    const possible = { nanoid: 64, cuid2: 36, 'UUID version 4': 17, prefixed: 62 }[form.name]
    expect(characters.size).toBe(possible)
  })

  test('is the same for the same seed, and differs for another', () => {
    const draw = (seed: string | null) => drawn(freshState({ seed }).workspace, form, 'thing', 5)

    const once = draw('one')

    expect(draw('one')).toEqual(once)
    expect(draw('two')).not.toEqual(once)
    expect(draw(null)).not.toEqual(once)
  })

  test('does not depend on other ids drawn', () => {
    const quiet = freshState({ seed: 'one' })
    const busy = freshState({ seed: 'one' })
    const other = busy.tenancy()

    const alone = drawn(quiet.workspace, form, 'thing', 3)
    const among: string[] = []
    for (let count = 0; count < 3; count++) {
      drawn(busy.workspace, form, 'other', count)
      drawn(other.workspace, form, 'thing', count)
      busy.workspace.write(() => busy.workspace.ids.chance('luck'))
      among.push(...drawn(busy.workspace, form, 'thing', 1))
    }

    expect(among).toEqual(alone)
  })

  test('differs between kinds and between workspaces of one seed', () => {
    const { workspace, tenancy } = freshState({ seed: 'one' })

    const ids = [
      ...drawn(workspace, form, 'thing', 3),
      ...drawn(workspace, form, 'other', 3),
      ...drawn(tenancy().workspace, form, 'thing', 3),
    ]

    expect(new Set(ids).size).toBe(9)
  })
})

describe.each(FORMS.slice(0, 2))('a $name without a seed', (form) => {
  test('sorts after earlier ids in SQLite', async () => {
    const { workspace } = await freshApp()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })

    const ids: string[] = []
    for (const time of ['2026-01-01', '2026-01-01T00:00:00.001Z', '2026-01-02', '2031-05-05']) {
      vi.setSystemTime(new Date(time))
      ids.push(...drawn(workspace, form, 'thing', 1))
    }

    expect(ids.every((id) => form.form.test(id))).toBe(true)
    expect([...ids].sort()).toEqual(ids)
  })

  test('shares a prefix with ids of the same time and differs after it', async () => {
    const { workspace } = await freshApp()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })

    const ids = drawn(workspace, form, 'thing', 500)

    expect(new Set(ids.map((id) => id.slice(0, 7))).size).toBe(1)
    expect(new Set(ids.map((id) => id.slice(8))).size).toBe(500)
  })
})

test('has the requested length if it is prefixed', async () => {
  const { workspace } = await freshApp()

  for (const length of [1, 8, 32]) {
    expect(workspace.write(() => workspace.ids.prefixed('re_', length))).toMatch(
      new RegExp(`^re_[A-Za-z0-9]{${String(length)}}$`),
    )
  }
})

describe('integer', () => {
  test('counts from 1 for each kind and each workspace', async () => {
    const { workspace, tenant } = await freshApp()
    const other = tenant().workspace
    const next = (of: Workspace, kind: string) => of.write(() => of.ids.integer(kind))

    expect([next(workspace, 'a'), next(workspace, 'a'), next(workspace, 'b'), next(workspace, 'a')]).toEqual([
      1, 2, 1, 3,
    ])
    expect([next(other, 'a'), next(other, 'a')]).toEqual([1, 2])
  })

  test('is returned when its write is rolled back, so that folios have no gaps', async () => {
    const { workspace } = await freshApp()
    const next = () => workspace.write(() => workspace.ids.integer('folio'))

    expect(next()).toBe(1)
    expect(() =>
      workspace.write(() => {
        workspace.ids.integer('folio')
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    expect(next()).toBe(2)
  })
})

describe('random number', () => {
  test('covers the range from 0 up to 1', () => {
    const { workspace } = freshState({ seed: 'one' })

    const throws = workspace.write(() => Array.from({ length: 1000 }, () => workspace.ids.chance('dice')))

    expect(Math.min(...throws)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...throws)).toBeLessThan(1)
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = throws.filter((thrown) => Math.floor(thrown * 10) === tenth).length
      expect(share).toBeGreaterThan(60)
      expect(share).toBeLessThan(140)
    }
  })

  test('follows from the seed', () => {
    const draw = (seed: string) => {
      const { workspace } = freshState({ seed })
      return workspace.write(() => workspace.ids.chance('dice'))
    }

    expect(draw('one')).toBe(draw('one'))
    expect(draw('one')).not.toBe(draw('two'))
  })
})

test('does not derive secrets from a seed', () => {
  const drawn = Array.from({ length: 200 }, randomToken)

  expect(new Set(drawn).size).toBe(200)
  expect(drawn.filter((text) => !/^[A-Za-z0-9_-]{32}$/.test(text))).toEqual([])

  const credentials = Array.from({ length: 200 }, () => randomCredential('sim_'))
  expect(new Set(credentials).size).toBe(200)
  expect(credentials.filter((text) => !/^sim_[A-Za-z0-9]{32}$/.test(text))).toEqual([])
})

describe('with a seed', () => {
  test('returns the same ids for the same calls', async () => {
    const meet = async () => {
      const { addProduct, addActivity, fresh } = await freshCatalog({ seed: 'one' })
      return [fresh.workspace.id, fresh.user.id, fresh.key, await addProduct(), await addActivity()]
    }

    expect(await meet()).toEqual(await meet())
  })

  test('continues the ids after a restart on the same file', async () => {
    const folder = scratchFolder()
    const options = { db: join(folder, 'suite.sqlite'), seed: 'one' }
    const first = await buildApp(options)
    const { number, ids } = first.workspaces.create({ name: 'W' }, (workspace) => ({
      number: workspace.rowScope,
      ids: Array.from({ length: 3 }, () => workspace.ids.nano('thing')),
    }))
    await first.close()

    const second = await buildApp(options)
    onTestFinished(() => second.close())
    const workspace = second.workspaces.byRowScope(number)
    const more = workspace?.write(() => Array.from({ length: 3 }, () => workspace.ids.nano('thing'))) ?? []
    const other = second.workspaces.create({ name: 'X' }, ({ id }) => id)

    const uninterrupted = await freshApp({ seed: 'one' })
    const straight = drawn(uninterrupted.workspace, FORMS[0], 'thing', 6)
    expect([...ids, ...more]).toEqual(straight)
    expect(other).not.toBe(workspace?.id)
  })
})
