/** The faults of a workspace, and a form that creates one. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { usePoll, useRequest, useAction, type RequestState } from '../api.ts'
import { useLive } from '../live.ts'
import { documentOf, server, type Workspace } from '../server.ts'
import { FormButton } from './formButton.tsx'
import { ErrorMessage } from './common.tsx'
import { HeldCalls } from './heldCalls.tsx'
import { SchemaForm } from './schemaForm.tsx'

type FaultsRequest = RequestState<Schema<'Fault'>[]>

const FaultsContext = createContext<FaultsRequest>({ value: null, problem: null, reload: () => undefined })

/** The faults of the workspace, which all parts of the page share. */
export const useFaults = (): FaultsRequest => useContext(FaultsContext)

/** Ms between polls: creating or deleting a fault is not in the timeline. */
const INTERVAL = 5000
/** Ms between polls while calls can wait: one that waits is not in the timeline. */
const HOLD_INTERVAL = 1000

export function FaultsProvider({
  workspace,
  children,
}: {
  workspace: Workspace | undefined
  children: ComponentChildren
}) {
  const id = workspace?.id
  const request = useRequest(
    async () => (id === undefined ? [] : (await server().call('listFaults', { path: { id } })).data),
    [id],
  )
  const canWait = request.value?.some(({ hold }) => hold === true) === true
  usePoll(useLive(['request', 'delivery'], request.reload), canWait ? HOLD_INTERVAL : INTERVAL)
  return <FaultsContext.Provider value={request}>{children}</FaultsContext.Provider>
}

/** A link in the header while calls or deliveries can fail on purpose. */
export function ActiveFaults({ address }: { address: string }) {
  const { value } = useFaults()
  const active = (value ?? []).filter(({ times, met }) => times === undefined || met < times).length
  if (active === 0) return null
  return (
    <a class="badge bad" href={address} title="Calls or deliveries fail on purpose">
      {active} <span class="words">{active === 1 ? 'active fault' : 'active faults'}</span>
    </a>
  )
}

export function Faults({ workspace }: { workspace: Workspace }) {
  const request = useFaults()
  const path = { id: workspace.id }
  const [isFormOpen, setIsFormOpen] = useState(false)
  const { problem, run } = useAction()
  const faults = request.value ?? []
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      {faults.length === 0 && (
        <p class="empty">No faults yet. Create one to make calls or deliveries fail.</p>
      )}
      <ul class="plain">
        {faults.map((fault) => (
          <li key={fault.id}>
            <code>{fieldsOf(fault)}</code> applied {fault.met} {fault.met === 1 ? 'time' : 'times'}{' '}
            <button
              type="button"
              class="small outline"
              aria-label={`Delete fault ${fault.id}`}
              onClick={() => {
                run(async () => {
                  await server().call('deleteFault', { path: { ...path, faultId: fault.id } })
                  request.reload()
                })
              }}
            >
              Delete
            </button>
            {fault.hold === true && (
              <HeldCalls workspace={workspace.id} fault={fault} reload={request.reload} />
            )}
          </li>
        ))}
      </ul>
      <ErrorMessage text={request.problem ?? problem} />
      <FormButton isOpen={isFormOpen} setIsOpen={setIsFormOpen}>
        Add fault
      </FormButton>
      {isFormOpen && <NewFault workspace={workspace} initialValues={{}} />}
    </section>
  )
}

function fieldsOf(fault: Schema<'Fault'>): string {
  const { id, met, createdAt, waiting, ...fields } = fault
  return JSON.stringify(fields)
}

interface NewFaultProps {
  readonly workspace: Workspace
  readonly initialValues: Record<string, unknown>
}

export function NewFault({ workspace, initialValues }: NewFaultProps) {
  const { reload } = useFaults()
  const { value: document, problem: missing } = useRequest(() => documentOf('control'), [])
  const [isCreated, setIsCreated] = useState(false)
  const { isBusy, problem, run } = useAction()
  const schema = document?.components.schemas['FaultCreate']
  if (isCreated)
    return <p role="status">Fault created. It applies to matching calls and deliveries from now on.</p>
  if (!schema) return <ErrorMessage text={missing} />
  return (
    <SchemaForm
      schema={schema}
      schemas={document.components.schemas}
      initialValues={initialValues}
      verb="Create fault"
      isBusy={isBusy}
      problem={problem}
      send={(body) => {
        run(async () => {
          await server().call('createFault', {
            path: { id: workspace.id },
            body: body,
          })
          setIsCreated(true)
          reload()
        })
      }}
    />
  )
}
