/** Recordings of the workspace: sessions that can be replayed, and that become tests. */
import { useState } from 'preact/hooks'
import { useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { sizeText } from '../parts/attachments.tsx'
import {
  Badge,
  Copy,
  Danger,
  Empty,
  ErrorMessage,
  Facts,
  Gone,
  Instant,
  Split,
  type Tone,
} from '../parts/common.tsx'
import {
  fileNameOf,
  isRunning,
  saveFile,
  stepsText,
  stopRecording,
  useRecordings,
  type Recording,
} from '../parts/recordings.tsx'
import { Rows } from '../parts/rows.tsx'
import { filter, openAddress } from '../route.ts'
import { server, type Workspace } from '../server.ts'

export function Recordings({ workspace, query: { open } }: PageProps) {
  const { value, problem } = useRecordings()
  const recordings = value ?? []
  const opened = recordings.find(({ id }) => id === open)
  return (
    <>
      <NewRecording workspace={workspace} running={recordings.find(isRunning)} />
      <ErrorMessage text={problem} />
      <Split
        close={openAddress(undefined)}
        list={
          recordings.length > 0 ? (
            <Rows
              label="Recordings, newest first"
              items={recordings}
              at={({ startedAt }) => startedAt}
              keyOf={({ id }) => id}
              addressOf={({ id }) => openAddress(id)}
              opened={open}
              isFailed={({ status }) => status === 'ended'}
              row={recordingRow}
            />
          ) : (
            value && (
              <Empty>
                No recordings yet. A recording holds the calls, triggers and clock moves of a session with
                their answers. Replay it to see whether a new version answers the same, or turn it into a
                test.
              </Empty>
            )
          )
        }
        opened={
          open &&
          value &&
          (opened ? (
            <RecordingDetail key={opened.id} workspace={workspace} recording={opened} />
          ) : (
            <Gone title="This recording no longer exists">
              It was deleted, or it belongs to another workspace.
            </Gone>
          ))
        }
      />
    </>
  )
}

const TONES: Readonly<Record<Recording['status'], Tone>> = {
  recording: 'info',
  stopped: 'good',
  ended: 'bad',
}

const Status = ({ status }: Recording) => <Badge tone={TONES[status]}>{status}</Badge>

const recordingRow = (recording: Recording) => (
  <>
    <Status {...recording} /> <span class="title">{recording.name}</span>{' '}
    <span class="aside">
      {stepsText(recording.steps)}, {sizeText(recording.bytes)}
    </span>
  </>
)

function NewRecording({ workspace, running }: { workspace: Workspace; running: Recording | undefined }) {
  const { reload } = useRecordings()
  const [name, setName] = useState('')
  const { isBusy, problem, run } = useAction()
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const body = name.trim() === '' ? {} : { name: name.trim() }
          await server().call('startRecording', { path: { id: workspace.id }, body })
          setName('')
          reload()
        })
      }}
    >
      <label>
        Name
        <input
          value={name}
          maxLength={200}
          placeholder="Checkout"
          onInput={({ currentTarget }) => {
            setName(currentTarget.value)
          }}
        />
      </label>
      <button type="submit" aria-busy={isBusy} disabled={running !== undefined}>
        Start recording
      </button>
      {running && <p class="empty">Stop {running.name} first: one recording can run at a time.</p>}
      <ErrorMessage text={problem} />
    </form>
  )
}

function RecordingDetail({ workspace, recording }: { workspace: Workspace; recording: Recording }) {
  const { id, name, status, endedBy, steps, bytes, startedAt, stoppedAt } = recording
  const { reload } = useRecordings()
  const { isBusy, problem, run } = useAction()
  return (
    <>
      <h2>
        <Status {...recording} /> {name}
      </h2>
      {endedBy !== null && (
        <p class="hint">
          It was ended by {endedBy}. Its file has the steps until then, and no end to compare.
        </p>
      )}
      <Facts
        of={[
          ['Started', <Instant at={startedAt} timeZone={workspace.timezone} isLong />],
          [
            'Stopped',
            stoppedAt === null ? 'not yet' : <Instant at={stoppedAt} timeZone={workspace.timezone} isLong />,
          ],
          ['Steps', steps.toLocaleString('en-US')],
          ['Size', sizeText(bytes)],
          ['Id', <code>{id}</code>],
        ]}
      />
      <div class="actions">
        {status === 'recording' ? (
          <button
            type="button"
            class="small"
            aria-busy={isBusy}
            onClick={() => {
              run(async () => {
                await stopRecording(workspace.id, id)
                reload()
              })
            }}
          >
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="small"
            aria-busy={isBusy}
            onClick={() => {
              run(() => saveFile(workspace.id, recording))
            }}
          >
            Download file
          </button>
        )}
        <Danger
          question={`Delete the recording ${name}? Its ${stepsText(steps)} are lost.`}
          isBusy={isBusy}
          onConfirmed={() => {
            run(async () => {
              await server().call('deleteRecording', { path: { id: workspace.id, recordingId: id } })
              filter({ open: undefined })
              reload()
            })
          }}
        >
          Delete
        </Danger>
      </div>
      <ErrorMessage text={problem} />
      {status === 'recording' ? (
        <p>
          Use the workspace now: make calls, fill in hosted pages, pull triggers, move the clock. Each one
          becomes a step.
        </p>
      ) : (
        <Commands file={fileNameOf(recording)} />
      )}
    </>
  )
}

/** The commands that use the file of a recording. */
function Commands({ file }: { file: string }) {
  const base = file.replace(/\.json$/, '')
  const replay = `npx suite-sim replay ${file}`
  const commands = [
    ['Replay it and compare', replay],
    ['Write a test for Vitest', `${replay} --as vitest --out ${base}.test.mjs`],
    ['Write a test for pytest', `${replay} --as pytest --out test_${base.replaceAll('-', '_')}.py`],
    ['Write a shell script', `${replay} --as curl --out ${base}.sh`],
  ] as const
  return (
    <>
      <h3>Use the file</h3>
      <p>Download the file, and run one of these commands in its folder.</p>
      <dl class="commandlist">
        {commands.map(([title, command]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd class="copied">
              <code>{command}</code> <Copy text={command} what={`the command: ${title}`} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
