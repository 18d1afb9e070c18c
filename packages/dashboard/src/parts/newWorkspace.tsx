/** A form that creates a workspace: empty, with the small fixture or with the demo fixture. */
import { useState } from 'preact/hooks'
import { useAction } from '../api.ts'
import type { Result } from '@suite-sim/client/calling'
import { addressOf } from '../route.ts'
import { server, titleOf } from '../server.ts'
import { Copy, ErrorMessage } from './common.tsx'

const FIXTURES = ['none', 'small', 'demo'] as const

export function NewWorkspace() {
  const [created, setCreated] = useState<Result<'createWorkspace'> | null>(null)
  const [name, setName] = useState('')
  const [fixtures, setFixtures] = useState<(typeof FIXTURES)[number]>('small')
  const { isBusy, problem, run } = useAction()
  if (created) return <Created {...created} />
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const body = { fixtures, ...(name.trim() !== '' && { name: name.trim() }) }
          setCreated(await server().call('createWorkspace', { body }))
        })
      }}
    >
      <label>
        Name
        <input
          value={name}
          maxLength={200}
          onInput={({ currentTarget }) => {
            setName(currentTarget.value)
          }}
        />
      </label>
      <label>
        Records
        <select
          value={fixtures}
          onChange={({ currentTarget }) => {
            setFixtures(currentTarget.value as (typeof FIXTURES)[number])
          }}
        >
          {FIXTURES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <button type="submit" aria-busy={isBusy}>
        Create workspace
      </button>
      <ErrorMessage text={problem} />
    </form>
  )
}

/** The new workspace with its control token, which the server never shows again. */
const Created = ({ workspace, controlToken }: Result<'createWorkspace'>) => (
  <div class="created" role="status">
    <p>The workspace {titleOf(workspace)} was created. Its control token is shown only now:</p>
    <p class="copied">
      <code>{controlToken}</code> <Copy text={controlToken} what="the control token" />
    </p>
    <p>
      <a href={addressOf('now', { workspace: workspace.id })}>Open workspace</a>
    </p>
  </div>
)
