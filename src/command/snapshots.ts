/** `suite-sim snapshot`: records kept by the server under a name, or in a file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { print, table, withProgress } from './output.ts'
import { Misuse, Problem } from './problem.ts'
import type { Within } from './reaching.ts'
import { pathTo } from './remote.ts'
import { pathOf, remoteOf } from './workspaces.ts'

interface Place extends Within {
  readonly file?: string
}

interface Saved {
  readonly name: string
  readonly records: number
  readonly createdAt: string
}

export async function listSnapshots(settings: Within): Promise<void> {
  const path = `${pathOf(settings.workspace)}/snapshots`
  const answer = await remoteOf(settings).call<{ data: Saved[] }>('GET', path)
  print(settings, answer, () =>
    table(
      ['NAME', 'RECORDS', 'MADE'],
      answer.data.map(({ name, records, createdAt }) => [name, String(records), createdAt]),
    ),
  )
}

export async function saveSnapshot(name: string | undefined, settings: Place): Promise<void> {
  const { workspace, file } = settings
  const remote = remoteOf(settings)
  if (file !== undefined) {
    mustBeOne(name)
    const text = await withProgress('saving', remote.text('GET', `${pathOf(workspace)}/snapshot`))
    onFile(file, () => {
      writeFileSync(file, text)
    })
    print(settings, { file }, () => `Saved to ${file}`)
    return
  }
  const body = { name: name ?? missing() }
  const saved = await withProgress(
    'saving',
    remote.call<Saved>('POST', `${pathOf(workspace)}/snapshots`, body),
  )
  print(settings, saved, () => `${saved.name} holds ${String(saved.records)} records`)
}

export async function loadSnapshot(name: string | undefined, settings: Place): Promise<void> {
  const { workspace, file } = settings
  const remote = remoteOf(settings)
  if (file !== undefined) {
    mustBeOne(name)
    const body = onFile(file, () => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    await withProgress('loading', remote.call('PUT', `${pathOf(workspace)}/snapshot`, body))
  } else {
    const path = pathOf(workspace) + pathTo('/snapshots/{name}/restore', { name: name ?? missing() })
    await withProgress('loading', remote.call('POST', path))
  }
  const from = file ?? name ?? ''
  print(settings, { workspace, loaded: from }, () => `${workspace} holds what ${from} held`)
}

function mustBeOne(name: string | undefined): void {
  if (name !== undefined) throw new Misuse('a snapshot has a name or a --file, not both')
}

function missing(): never {
  throw new Misuse('a snapshot needs a name, or a --file')
}

function onFile<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Problem(`cannot use ${file}: ${(error as Error).message}`)
  }
}
