/** `suite-sim snapshot`: saves and loads the records of a workspace, by name on the server or in a file. */
import { counted } from '@suite-sim/kit/text/counted'
import { readFileSync, writeFileSync } from 'node:fs'
import { print, table, withProgress } from '@suite-sim/kit/terminal/output'
import { UsageError, CommandError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathTo, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

interface SnapshotSettings extends WorkspaceSettings {
  readonly file?: string
}

interface Saved {
  readonly name: string
  readonly records: number
  readonly createdAt: string
}

export async function listSnapshots(settings: WorkspaceSettings): Promise<void> {
  const path = `${pathOf(settings.workspace)}/snapshots`
  const answer = await remoteOf(settings).call<{ data: Saved[] }>('GET', path)
  print(settings, answer, () =>
    table(
      ['NAME', 'RECORDS', 'CREATED'],
      answer.data.map(({ name, records, createdAt }) => [name, String(records), createdAt]),
    ),
  )
}

export async function saveSnapshot(name: string | undefined, settings: SnapshotSettings): Promise<void> {
  const { workspace, file } = settings
  const remote = remoteOf(settings)
  if (file !== undefined) {
    mustNotHaveName(name)
    const text = await withProgress('saving', remote.text('GET', `${pathOf(workspace)}/snapshot`))
    withFile(file, () => {
      writeFileSync(file, text)
    })
    print(settings, { file }, () => `saved to ${file}`)
    return
  }
  const body = { name: name ?? refuseMissingName() }
  const saved = await withProgress(
    'saving',
    remote.call<Saved>('POST', `${pathOf(workspace)}/snapshots`, body),
  )
  print(settings, saved, () => `saved ${saved.name} with ${counted(saved.records, 'record')}`)
}

export async function loadSnapshot(name: string | undefined, settings: SnapshotSettings): Promise<void> {
  const { workspace, file } = settings
  const remote = remoteOf(settings)
  if (file !== undefined) {
    mustNotHaveName(name)
    const body = withFile(file, () => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    await withProgress('loading', remote.call('PUT', `${pathOf(workspace)}/snapshot`, body))
  } else {
    const path =
      pathOf(workspace) + pathTo('/snapshots/{name}/restore', { name: name ?? refuseMissingName() })
    await withProgress('loading', remote.call('POST', path))
  }
  const source = file ?? name ?? ''
  print(settings, { workspace, loaded: source }, () => `loaded ${source} into ${workspace}`)
}

function mustNotHaveName(name: string | undefined): void {
  if (name !== undefined) throw new UsageError('a snapshot must have a name or a --file, not both')
}

function refuseMissingName(): never {
  throw new UsageError('a snapshot must have a name or a --file')
}

function withFile<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new CommandError(`cannot use ${file}: ${(error as Error).message}`)
  }
}
