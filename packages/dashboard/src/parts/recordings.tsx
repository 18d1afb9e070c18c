/** The recordings of a workspace, and the notice on every page while one is running. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useAction, usePoll, useRequest, type RequestState } from '../api.ts'
import { useLive } from '../live.ts'
import { addressOf } from '../route.ts'
import { save, server, type Workspace } from '../server.ts'
import { ErrorMessage } from './common.tsx'

export type Recording = Schema<'Recording'>

type RecordingsRequest = RequestState<Recording[]>

const RecordingsContext = createContext<RecordingsRequest>({
  value: null,
  problem: null,
  reload: () => undefined,
})

/** The recordings of the workspace, newest first, which all parts of the page share. */
export const useRecordings = (): RecordingsRequest => useContext(RecordingsContext)

/** Milliseconds between polls: starting and stopping a recording is not in the timeline. */
const INTERVAL_MS = 3000

const reloads = new Set<() => void>()

/** Reads the recordings again after a command has started or stopped one. */
export function reloadRecordings(): void {
  for (const reload of reloads) reload()
}

export function RecordingsProvider({
  workspace,
  children,
}: {
  workspace: Workspace | undefined
  children: ComponentChildren
}) {
  const id = workspace?.id
  const request = useRequest(
    async () =>
      id === undefined ? [] : (await server().call('listRecordings', { path: { id } })).data.toReversed(),
    [id],
  )
  useEffect(() => {
    reloads.add(request.reload)
    return () => {
      reloads.delete(request.reload)
    }
  }, [])
  usePoll(useLive(['request', 'trigger', 'job'], request.reload), INTERVAL_MS)
  return <RecordingsContext.Provider value={request}>{children}</RecordingsContext.Provider>
}

export const isRunning = ({ status }: Recording): boolean => status === 'recording'

/** Returns the address of a recording on its page. */
export const recordingAddress = (workspace: string, open: string): string =>
  addressOf('recordings', { workspace, open })

export const stepsText = (steps: number): string =>
  `${steps.toLocaleString('en-US')} ${steps === 1 ? 'step' : 'steps'}`

/** Stops a recording. Its file can have many megabytes, so it is not read. */
export async function stopRecording(id: string, recordingId: string): Promise<void> {
  const response = await server().send('stopRecording', { path: { id, recordingId } })
  await response.body?.cancel()
}

/** Returns a name for the file that needs no quotes in a shell: "checkout-with-a-card.json". */
export function fileNameOf({ name }: Recording): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, 60).toLowerCase() || 'recording'}.json`
}

export const saveFile = (id: string, recording: Recording): Promise<void> =>
  save('stopRecording', { id, recordingId: recording.id }, fileNameOf(recording))

/** Says that a recording is running, and stops it. A person who clicks around to record a test sees it on every page. */
export function RunningRecording({ workspace }: { workspace: Workspace }) {
  const { value, reload } = useRecordings()
  const { isBusy, problem, run } = useAction()
  const running = value?.find(isRunning)
  if (!running) return null
  const address = recordingAddress(workspace.id, running.id)
  return (
    <section class="recording" aria-label="Running recording">
      {/* Only the start is announced: the number of steps changes with each call. */}
      <p role="status">
        Recording <a href={address}>{running.name}</a>
      </p>
      <span class="aside">{stepsText(running.steps)}</span>
      <button
        type="button"
        class="small outline"
        aria-busy={isBusy}
        onClick={() => {
          run(async () => {
            await stopRecording(workspace.id, running.id)
            reload()
            location.hash = address
          })
        }}
      >
        Stop recording
      </button>
      <ErrorMessage text={problem} />
    </section>
  )
}
