/** The tools of the control plane. */
import type { LongAnswers } from './shared/answers.ts'
import type { Document } from './shared/document.ts'
import { toolsWithin, type Scope } from './scope.ts'
import { inputSchemaOf, toolsOf, type RunnableTool } from './shared/tools.ts'

export interface Control {
  readonly document: Document
  readonly triggers: readonly { readonly name: string }[]
  readonly scope: Scope
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly text: string }>
}

export function controlTools(
  { document, triggers, scope, ask }: Control,
  answers: LongAnswers,
): RunnableTool[] {
  const names = triggers.map(({ name }) => name)
  const calls = toolsWithin(toolsOf(document, names), scope).map((tool): RunnableTool => ({
    ...tool,
    run: async (args) => {
      const { method, path, body } = tool.request(args)
      const { status, text } = await ask(method, path, body)
      return {
        texts: text === '' ? [`done (${String(status)})`] : answers.open(text),
        isError: status >= 400,
      }
    },
  }))
  return [
    ...calls,
    {
      name: 'describeTrigger',
      description: 'Describe one trigger, with the JSON Schemas of its body and its result',
      inputSchema: inputSchemaOf({ name: { type: 'string', enum: names } }, ['name']),
      isReading: true,
      run: ({ name }) => {
        const found = triggers.find((each) => each.name === name)
        if (!found)
          throw new Error(`There is no trigger ${String(name)}. The triggers are ${names.join(', ')}.`)
        return { texts: answers.open(JSON.stringify(found)) }
      },
    },
  ]
}
