/** A form that pulls a trigger and shows the result. */
import { useState } from 'preact/hooks'
import { useAction } from '../api.ts'
import { server, type JsonSchema } from '../server.ts'
import { Json } from './json.tsx'
import { SchemaForm } from './schemaForm.tsx'

interface PullProps {
  readonly workspace: string
  readonly name: string
  readonly schema: JsonSchema
  readonly initialValues?: Record<string, unknown>
  readonly onDone?: () => void
}

export function PullTrigger({ workspace, name, schema, initialValues = {}, onDone }: PullProps) {
  const [result, setResult] = useState<unknown>()
  const { isBusy, problem, run } = useAction()
  return (
    <>
      <SchemaForm
        schema={schema}
        workspace={workspace}
        initialValues={initialValues}
        verb="Pull trigger"
        isBusy={isBusy}
        problem={problem}
        send={(body) => {
          setResult(undefined)
          run(async () => {
            setResult(await server().call('pullTrigger', { path: { id: workspace, name }, body }))
            onDone?.()
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
