/** The faults that calls and deliveries of a workspace meet, and new ones. */
import { useState } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { useAsked, useDoing, type Asked } from '../api.ts'
import { useLive } from '../live.ts'
import { documentOf, server, type Workspace } from '../server.ts'
import { Problem } from './common.tsx'
import { SchemaForm } from './schemaForm.tsx'

export const useFaults = ({ id }: Workspace): Asked<Schema<'Fault'>[]> => {
  const asked = useAsked(async () => (await server().call('listFaults', { path: { id } })).data, [id])
  useLive(['request', 'delivery'], asked.reload)
  return asked
}

export function Faults({ workspace, asked }: { workspace: Workspace; asked: Asked<Schema<'Fault'>[]> }) {
  const path = { id: workspace.id }
  const [isMaking, setIsMaking] = useState(false)
  const { problem, run } = useDoing()
  const faults = asked.value ?? []
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      {faults.length === 0 && <p class="empty">None: calls and deliveries go as they do.</p>}
      <ul class="plain">
        {faults.map((fault) => (
          <li key={fault.id}>
            <code>{wordsOf(fault)}</code> met {fault.met} {fault.met === 1 ? 'time' : 'times'}{' '}
            <button
              type="button"
              class="small outline"
              aria-label={`Remove the fault ${fault.id}`}
              onClick={() => {
                run(async () => {
                  await server().call('deleteFault', { path: { ...path, faultId: fault.id } })
                  asked.reload()
                })
              }}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <Problem words={asked.problem ?? problem} />
      <button
        type="button"
        class="small outline"
        aria-expanded={isMaking}
        onClick={() => {
          setIsMaking(!isMaking)
        }}
      >
        New fault
      </button>
      {isMaking && <NewFault workspace={workspace} given={{}} made={asked.reload} />}
    </section>
  )
}

function wordsOf(fault: Schema<'Fault'>): string {
  const { id, met, createdAt, ...said } = fault
  return JSON.stringify(said)
}

interface NewFaultProps {
  readonly workspace: Workspace
  readonly given: Record<string, unknown>
  readonly made: () => void
}

export function NewFault({ workspace, given, made }: NewFaultProps) {
  const { value: document, problem: missing } = useAsked(() => documentOf('control'), [])
  const [isMade, setIsMade] = useState(false)
  const { isBusy, problem, run } = useDoing()
  const schema = document?.components.schemas['FaultCreate']
  if (isMade) return <p role="status">The fault is made: what matches meets it from now on.</p>
  if (!schema) return <Problem words={missing} />
  return (
    <SchemaForm
      schema={schema}
      schemas={document.components.schemas}
      given={given}
      verb="Make the fault"
      isBusy={isBusy}
      problem={problem}
      send={(body) => {
        run(async () => {
          await server().call('createFault', {
            path: { id: workspace.id },
            body: body,
          })
          setIsMade(true)
          made()
        })
      }}
    />
  )
}
