/** The diagram of a state machine, whose states put a new record into them. Shows the way there as code. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useAction } from '../api.ts'
import { to } from '../route.ts'
import { server } from '../server.ts'
import { Copy, ErrorMessage } from './common.tsx'
import { Diagram, type DiagramProps } from './diagram.tsx'

type Reached = Schema<'Reached'>

interface ReachProps extends Omit<DiagramProps, 'onState'> {
  readonly workspace: string
  /** The section of the records of the machine, if it is known. */
  readonly section?: string
}

export function Reach({ workspace, section, ...diagram }: ReachProps) {
  const [reached, setReached] = useState<Reached | null>(null)
  const { isBusy, problem, run } = useAction()
  const reach = (state: string): void => {
    run(async () => {
      setReached(null)
      const body = { record: section ?? diagram.machine.name, state }
      setReached(await server().call('reach', { path: { id: workspace }, body }))
    })
  }
  return (
    <>
      <Diagram {...diagram} onState={reach} />
      <p>Click a state to put a new record into it.</p>
      <div role="status" aria-busy={isBusy}>
        <ErrorMessage text={problem} />
        {reached && (
          <>
            <p>
              A new record is {reached.state}.{' '}
              {section !== undefined && (
                <a href={to('records', { section, order: 'newest' })}>Newest records</a>
              )}
            </p>
            <Way steps={reached.way} />
          </>
        )}
      </div>
    </>
  )
}

/** The forms of the way, and what their comments start with. */
const FORMS = { curl: '#', code: '//' } as const

function Way({ steps }: { steps: Reached['way'] }) {
  const [form, setForm] = useState<keyof typeof FORMS>('curl')
  const text = steps.map((step) => `${FORMS[form]} ${step.title}\n${step[form]}`).join('\n')
  return (
    <div class="example">
      <div class="actions">
        {(['curl', 'code'] as const).map((name) => (
          <button
            key={name}
            type="button"
            class={name === form ? 'small' : 'small outline'}
            aria-pressed={name === form}
            onClick={() => {
              setForm(name)
            }}
          >
            {name === 'code' ? 'Library' : name}
          </button>
        ))}
        <Copy text={text} what="the way" />
      </div>
      <pre tabIndex={0} aria-label="The way there">
        <code>{text}</code>
      </pre>
    </div>
  )
}
