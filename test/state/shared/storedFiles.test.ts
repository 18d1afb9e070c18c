import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp, type App } from '../../../src/app.ts'
import { storeOf, sweepFiles } from '../../../src/state/files/fileCleanup.ts'
import {
  removeFile,
  storedFiles,
  storeFiles,
  type StoredFile,
} from '../../../src/state/shared/storedFiles.ts'
import { MAX_FILE_NAME_LENGTH } from '../../../src/state/storage/tables.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { scratchFolder } from '../../support/process.ts'
import { keepBaseline, sweepAll } from '../../support/records.ts'

/** An app with a database file, and the folder of its stored files. */
async function appIn(folder: string, name = 'suite.sqlite') {
  const app = await buildApp({ db: join(folder, name), fixtures: 'none' })
  onTestFinished(() => app.close())
  return app
}

const bytesIn = (folder: string, name = 'suite.sqlite'): string[] => {
  const root = join(folder, 'files', name)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

function workspaceOf(app: App): Workspace {
  return app.workspaces.create({ name: 'Shop' }, (workspace) => {
    app.records.keepOthers(workspace)
    return workspace
  })
}

const text = (source: string | Uint8Array | Readable, name = 'note.txt') => ({
  name,
  contentType: 'text/plain',
  source: typeof source === 'string' ? Buffer.from(source) : source,
})

async function store(workspace: Workspace, content: string): Promise<StoredFile> {
  const [file] = await storeFiles(workspace, [text(content)], (files) => files)
  if (!file) throw new Error('nothing was stored')
  return file
}

const remove = async (workspace: Workspace, { id }: StoredFile): Promise<void> => {
  workspace.write(() => {
    removeFile(workspace, id)
  })
  await workspace.database.committed()
}

async function contentOf(workspace: Workspace, { hash }: StoredFile): Promise<string> {
  const pieces = await storeOf(workspace.database).read(hash).toArray()
  return Buffer.concat(pieces as Buffer[]).toString()
}

describe('bytes', () => {
  test('are stored next to the database by hash, once however often they are stored', async () => {
    const folder = scratchFolder()
    const app = await appIn(folder)
    const one = workspaceOf(app)
    const other = workspaceOf(app)
    const first = await store(one, 'the same')
    const again = await store(one, 'the same')
    const otherCopy = await store(other, 'the same')
    expect(first).toMatchObject({ name: 'note.txt', contentType: 'text/plain', size: 8 })
    expect(new Set([first.hash, again.hash, otherCopy.hash]).size).toBe(1)
    expect(bytesIn(folder)).toEqual([first.hash])

    await remove(one, first)
    await remove(one, again)
    expect(bytesIn(folder)).toEqual([first.hash])
    expect(await contentOf(other, otherCopy)).toBe('the same')
    await remove(other, otherCopy)
    expect(bytesIn(folder)).toEqual([])
  })

  test('of two databases in one folder are separate', async () => {
    const folder = scratchFolder()
    const app = await appIn(folder)
    const neighbour = await appIn(folder, 'other.sqlite')
    const workspace = workspaceOf(app)
    const file = await store(workspace, 'mine')
    const theirs = await store(workspaceOf(neighbour), 'mine')
    await remove(workspace, file)
    expect(bytesIn(folder)).toEqual([])
    expect(bytesIn(folder, 'other.sqlite')).toEqual([theirs.hash])
  })

  test('are moved from their source, and streamed', async () => {
    const folder = scratchFolder()
    const workspace = workspaceOf(await appIn(folder))
    const path = join(folder, 'sent')
    writeFileSync(path, 'taken over')
    const files = await storeFiles(
      workspace,
      [
        { name: 'a.txt', contentType: 'text/plain', source: path },
        text(Readable.from([Buffer.from('in '), Buffer.from('pieces')]), 'b.txt'),
      ],
      (stored) => stored,
    )
    expect(existsSync(path)).toBe(false)
    expect(await Promise.all(files.map((file) => contentOf(workspace, file)))).toEqual([
      'taken over',
      'in pieces',
    ])
  })

  test('have a name that is cut at its limit', async () => {
    const workspace = workspaceOf(await appIn(scratchFolder()))
    const [file] = await storeFiles(
      workspace,
      [text('x', 'n'.repeat(MAX_FILE_NAME_LENGTH + 1))],
      (files) => files,
    )
    expect(file?.name).toBe('n'.repeat(MAX_FILE_NAME_LENGTH))
  })
})

describe('cleanup', () => {
  test('removes bytes if the change is refused or a stream fails', async () => {
    const folder = scratchFolder()
    const workspace = workspaceOf(await appIn(folder))
    const refused = storeFiles(workspace, [text('kept by nobody')], () => {
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    const torn = new Readable({
      read() {
        this.push('half')
        this.destroy(new Error('cut off'))
      },
    })
    const failed = storeFiles(workspace, [text('whole'), text(torn)], (files) => files)
    await expect(failed).rejects.toThrow('cut off')
    expect(bytesIn(folder)).toEqual([])
    expect(storedFiles.findAll(workspace, [])).toEqual([])
  })

  test('keeps bytes that others stored at the same time', async () => {
    const folder = scratchFolder()
    const workspace = workspaceOf(await appIn(folder))
    const before = await store(workspace, 'shared')
    const refused = storeFiles(workspace, [text('shared')], () => {
      throw new Error('refused')
    })
    const [remaining] = await Promise.all([
      store(workspace, 'shared'),
      expect(refused).rejects.toThrow('refused'),
    ])
    await remove(workspace, before)
    expect(await contentOf(workspace, remaining)).toBe('shared')
  })

  test('removes bytes of a reset or deleted workspace, except those of its baseline', async () => {
    const folder = scratchFolder()
    const app = await appIn(folder)
    const workspace = workspaceOf(app)
    const original = await store(workspace, 'original')
    app.records.remove(workspace)
    await sweepAll(app)
    expect(bytesIn(folder)).toEqual([])

    const first = await store(workspace, 'original')
    await keepBaseline(app, workspace)
    await store(workspace, 'later')
    await remove(workspace, first)
    expect(bytesIn(folder)).toContain(original.hash)
    app.records.reset(workspace)
    await app.workspaces.database.committed()
    expect(bytesIn(folder)).toEqual([original.hash])
    expect(await contentOf(workspace, first)).toBe('original')
  })

  test('removes bytes left by a crash when the server starts', async () => {
    const folder = scratchFolder()
    const before = await buildApp({ db: join(folder, 'suite.sqlite'), fixtures: 'none' })
    const remaining = await store(workspaceOf(before), 'kept')
    const files = storeOf(before.workspaces.database)
    await files.write(Buffer.from('no row'))
    writeFileSync(files.incoming(), 'half an upload')
    await before.close()
    expect(bytesIn(folder)).toHaveLength(3)

    const after = await appIn(folder)
    await sweepFiles(after.workspaces.database)
    expect(bytesIn(folder)).toEqual([remaining.hash])
  })

  test('removes bytes of an in-memory database when it is closed', async () => {
    const app = await buildApp({ db: ':memory:' })
    const workspace = workspaceOf(app)
    const file = await store(workspace, 'passing')
    const { root } = storeOf(workspace.database).locationOf(file.hash)
    expect(existsSync(root)).toBe(true)
    await app.close()
    expect(existsSync(root)).toBe(false)
  })
})
