/** Snapshots contain the bytes of stored files, up to a limit. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { drawing, freshSignage } from '../../support/signage.ts'

const MAX_COUNT = 4 * 1024 * 1024

interface Files {
  readonly files: readonly { id: string; hash: string; size: number }[]
  readonly contents: readonly { hash: string; base64: string }[]
}
interface Whole {
  readonly files: Files
}

const snapshotOf = async ({ call, workspace }: FreshApp): Promise<Whole> =>
  (await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)).body as Whole

const put = ({ call, workspace }: FreshApp, body: object) =>
  call('PUT', `/_sim/workspaces/${workspace.id}/snapshot`, { body })

/** A drawing of exactly this many bytes. */
function drawingOf(bytes: number) {
  const { content, ...rest } = drawing()
  return { ...rest, content: String(content) + ' '.repeat(bytes - String(content).length) }
}

/** A workspace on another server. */
const otherServer = (): Promise<FreshApp> => freshApp({ ownApp: true })

async function loaded(fresh: FreshApp): Promise<string[]> {
  const { data } = (await fresh.at<{ data: { url: string }[] }>('signage')('GET', '/media')).body
  const answers = await Promise.all(
    data.map(({ url }) => fresh.app.fastify.inject(new URL(url).pathname + new URL(url).search)),
  )
  return answers.map(({ statusCode, payload }) => (statusCode === 200 ? payload : String(statusCode)))
}

describe('snapshot', () => {
  test('copies files to another server, equal bytes once', async () => {
    const { fresh, addMedia } = await freshSignage()
    await addMedia({ file: drawing(), name: 'one' })
    await addMedia({ file: drawing(), name: 'two' })
    await addMedia({ file: drawing(800, 600), name: 'other' })
    const whole = await snapshotOf(fresh)
    expect(whole.files.files).toHaveLength(3)
    expect(whole.files.contents).toHaveLength(2)

    const other = await otherServer()
    expect((await put(other, whole)).status).toBe(204)

    expect(await loaded(other)).toEqual(await loaded(fresh))
    expect((await loaded(other)).join()).toContain('width="800"')
    expect(await snapshotOf(other)).toMatchObject({ files: whole.files })
  })

  test('creates a workspace with files', async () => {
    const { fresh, addMedia } = await freshSignage()
    await addMedia()
    const other = await otherServer()
    const made = await other.call('POST', '/_sim/workspaces', { body: { fixtures: await snapshotOf(fresh) } })
    expect(made.status).toBe(201)
    const { workspace } = made.body as { workspace: { id: string } }
    expect(other.app.workspaces.get(workspace.id).rowScope).toBeGreaterThan(0)
    expect(
      await loaded({
        ...other,
        at: (name) => (method, path) =>
          other.at(name)(method, path, { key: (made.body as { key: string }).key }),
      } as FreshApp),
    ).toEqual(await loaded(fresh))
  })

  test('omits files larger than 4 MiB, and is valid on a server that has them', async () => {
    const { fresh, addMedia } = await freshSignage()
    await addMedia({ file: drawingOf(MAX_COUNT), name: 'largest' })
    await addMedia({ file: drawingOf(MAX_COUNT + 1), name: 'larger' })
    const whole = await snapshotOf(fresh)
    expect(whole.files.contents.map(({ base64 }) => Buffer.from(base64, 'base64').length)).toEqual([
      MAX_COUNT,
    ])

    expect((await put(fresh, whole)).status).toBe(204)
    expect((await loaded(fresh)).map(({ length }) => length).sort()).toEqual([MAX_COUNT, MAX_COUNT + 1])

    const other = await otherServer()
    const before = other.dump()
    const refused = await put(other, whole)
    expect(refused.status).toBe(400)
    const { id } = whole.files.files.find(({ size }) => size > MAX_COUNT) ?? { id: '' }
    expect(refused.text).toContain(`The snapshot does not fit: the contents of file ${id} are missing.`)
    expect(other.dump()).toEqual(before)
  })

  test.each<[what: string, contents: (own: Files['contents'][number]) => object[], why: RegExp]>([
    ['contents with another hash', ({ hash }) => [{ hash, base64: 'AAAA' }], /have the hash/],
    ['contents that are not their base64 form', ({ hash }) => [{ hash, base64: '*' }], /have the hash/],
    ['no contents', () => [], /are missing/],
    ['contents without a hash', ({ base64 }) => [{ hash: 'x', base64 }], /hash/],
    ['contents that are not a string', ({ hash }) => [{ hash, base64: 1 }], /base64 must be a string/],
  ])('is refused with %s', async (_what, contents, why) => {
    const { fresh, addMedia } = await freshSignage()
    await addMedia()
    const whole = await snapshotOf(fresh)
    const [own = { hash: '', base64: '' }] = whole.files.contents
    const other = await otherServer()
    const before = other.dump()
    const refused = await put(other, { ...whole, files: { ...whole.files, contents: contents(own) } })
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(why)
    expect(other.dump()).toEqual(before)
    // Nothing of the refused request is kept.
    expect((await put(other, { ...whole, files: { ...whole.files, contents: [] } })).status).toBe(400)
  })

  test('is refused if the size of a file differs from its contents', async () => {
    const { fresh, addMedia } = await freshSignage()
    await addMedia()
    const whole = await snapshotOf(fresh)
    const files = whole.files.files.map((file) => ({ ...file, size: file.size + 1 }))
    const refused = await put(await otherServer(), { ...whole, files: { ...whole.files, files } })
    expect(refused.status).toBe(400)
  })
})

test('returns the files of the demo data', async () => {
  const fresh = await freshApp({ fixtures: 'demo' })
  const whole = (await fresh.call('GET', '/_sim/workspaces/demo/snapshot')).body as Whole
  expect(whole.files.contents.map(({ hash }) => hash).sort()).toEqual(
    whole.files.files.map(({ hash }) => hash).sort(),
  )
  const demo = {
    ...fresh,
    at: ((name: string) => (method, path) =>
      fresh.at(name)(method, path, { key: 'demo-key' })) as FreshApp['at'],
  }
  for (const text of await loaded(demo)) {
    expect(whole.files.files.map(({ hash }) => hash)).toContain(
      createHash('sha256').update(text).digest('hex'),
    )
  }
})
