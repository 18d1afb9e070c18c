/** `suite-sim record`: starts, stops, lists and deletes recordings of a workspace. */
import { io } from '@suite-sim/kit/terminal/io'
import { counted } from '@suite-sim/kit/text/counted'
import { writeFileSync } from 'node:fs'
import { pathTo, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'
import { print, table, withProgress } from '@suite-sim/kit/terminal/output'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'

export type StartSettings = WorkspaceSettings
export type DeleteSettings = WorkspaceSettings

export interface StopSettings extends WorkspaceSettings {
  readonly out?: string
}

interface Recording {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly endedBy: string | null
  readonly steps: number
  readonly bytes: number
  readonly startedAt: string
}

export async function startRecording(name: string | undefined, settings: StartSettings): Promise<void> {
  const path = `${pathOf(settings.workspace)}/recordings`
  const body = name === undefined ? {} : { name }
  const started = await remoteOf(settings).call<Recording>('POST', path, body)
  print(
    settings,
    started,
    () =>
      `recording ${started.id} of ${settings.workspace}; stop it with: suite-sim record stop --workspace ${settings.workspace} --out recording.json`,
  )
}

export async function stopRecording(id: string | undefined, settings: StopSettings): Promise<void> {
  const { out } = settings
  const remote = remoteOf(settings)
  const recordingId = id ?? (await runningOf(settings))
  const path = pathOf(settings.workspace) + pathTo('/recordings/{recordingId}/stop', { recordingId })
  const text = await withProgress('stopping', remote.text('POST', path))
  if (out === undefined) {
    io().stdout.write(text)
    return
  }
  try {
    writeFileSync(out, text)
  } catch (error) {
    throw new CommandError(`cannot write ${out}: ${(error as Error).message}`)
  }
  const { steps, endedBy } = JSON.parse(text) as { steps: unknown[]; endedBy: string | null }
  const result = { id: recordingId, file: out, steps: steps.length, endedBy }
  print(settings, result, () => {
    const ended = endedBy === null ? '' : `; ${endedBy} ended the recording`
    return `wrote ${counted(steps.length, 'step')} to ${out}${ended}`
  })
}

async function runningOf(settings: WorkspaceSettings): Promise<string> {
  const running = (await recordingsOf(settings)).find(({ status }) => status === 'recording')
  if (running) return running.id
  throw new CommandError(
    `no recording of ${settings.workspace} is running; start one with: suite-sim record start, or name a stopped one`,
  )
}

async function recordingsOf(settings: WorkspaceSettings): Promise<Recording[]> {
  const path = `${pathOf(settings.workspace)}/recordings`
  return (await remoteOf(settings).call<{ data: Recording[] }>('GET', path)).data
}

export async function listRecordings(settings: WorkspaceSettings): Promise<void> {
  const data = await recordingsOf(settings)
  print(settings, { data }, () =>
    data.length === 0
      ? `${settings.workspace} has no recordings; start one with: suite-sim record start`
      : table(
          ['ID', 'NAME', 'STATUS', 'STEPS', 'STARTED'],
          data.map(({ id, name, status, steps, startedAt }) => [id, name, status, String(steps), startedAt]),
        ),
  )
}

export async function deleteRecording(id: string, settings: DeleteSettings): Promise<void> {
  const path = pathOf(settings.workspace) + pathTo('/recordings/{recordingId}', { recordingId: id })
  await remoteOf(settings).call('DELETE', path)
  print(settings, { deleted: id }, () => `deleted ${id}`)
}
