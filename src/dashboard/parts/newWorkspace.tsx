/** A form that creates a workspace: empty, with the small fixture or with the demo fixture. */
import { useState } from 'preact/hooks'
import { useAction } from '../api.ts'
import { server } from '../server.ts'
import { ErrorMessage } from './common.tsx'

const FIXTURES = ['none', 'small', 'demo'] as const

export function NewWorkspace({ onCreated }: { onCreated: (id: string) => void }) {
  const [name, setName] = useState('')
  const [fixtures, setFixtures] = useState<(typeof FIXTURES)[number]>('small')
  const { isBusy, problem, run } = useAction()
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const { workspace } = await server().call('createWorkspace', {
            body: { fixtures, ...(name.trim() !== '' && { name: name.trim() }) },
          })
          onCreated(workspace.id)
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
