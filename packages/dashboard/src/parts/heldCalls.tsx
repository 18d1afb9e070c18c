/** The calls that wait for a fault with `hold`, and the buttons that let them go on. */
import type { Schema } from '@suite-sim/client/calling'
import { useAction } from '../api.ts'
import { server } from '../server.ts'
import { ErrorMessage } from './common.tsx'
import { Ago } from './times.tsx'

interface HeldCallsProps {
  readonly workspace: string
  readonly fault: Schema<'Fault'>
  readonly reload: () => void
}

export function HeldCalls({ workspace, fault, reload }: HeldCallsProps) {
  const { isBusy, problem, run } = useAction()
  const { id, waiting = [] } = fault
  const release = (which: Schema<'FaultRelease'>): void => {
    run(async () => {
      try {
        await server().call('releaseCalls', { path: { id: workspace, faultId: id }, body: which })
      } finally {
        reload()
      }
    })
  }
  return (
    <>
      {waiting.length === 0 ? (
        <p class="empty">No calls wait. Matching calls wait here until you release them.</p>
      ) : (
        <ul class="plain held">
          {waiting.map((call) => (
            <li key={call.id}>
              <code>
                {call.method} {call.path}
              </code>{' '}
              arrived <Ago at={call.at} />{' '}
              <button
                type="button"
                class="small outline"
                disabled={isBusy}
                aria-label={`Release call ${call.id}`}
                onClick={() => {
                  release({ calls: [call.id] })
                }}
              >
                Release
              </button>
            </li>
          ))}
        </ul>
      )}
      {waiting.length > 1 && (
        <button
          type="button"
          class="small"
          disabled={isBusy}
          aria-label={`Release all calls of ${id}`}
          onClick={() => {
            release({})
          }}
        >
          Release all
        </button>
      )}
      <ErrorMessage text={problem} />
    </>
  )
}
