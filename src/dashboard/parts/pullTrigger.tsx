/** A trigger with a form of what it takes, and what came of it. */
import { useState } from 'preact/hooks'
import { useDoing } from '../api.ts'
import { server, type JsonSchema } from '../server.ts'
import { Json } from './json.tsx'
import { SchemaForm } from './schemaForm.tsx'

interface PullProps {
  readonly workspace: string
  readonly name: string
  readonly schema: JsonSchema
  readonly given?: Record<string, unknown>
  readonly done?: () => void
}

export function PullTrigger({ workspace, name, schema, given = {}, done }: PullProps) {
  const [result, setResult] = useState<unknown>()
  const { isBusy, problem, run } = useDoing()
  return (
    <>
      <SchemaForm
        schema={schema}
        given={given}
        verb="Pull the trigger"
        isBusy={isBusy}
        problem={problem}
        send={(body) => {
          setResult(undefined)
          run(async () => {
            setResult(await server().call('pullTrigger', { path: { id: workspace, name }, body }))
            done?.()
          })
        }}
      />
      {result !== undefined && (
        <div role="status">
          <Json label="Result" value={result} />
        </div>
      )}
    </>
  )
}
