/** Values of parameters that no list shows, from the examples of the documents, which are those of the demo. */
import type { Operation } from '../model/operation.ts'
import { sourcesOf, type KnownValues } from './addresses.ts'
import { Answers } from './answers.ts'
import { textOf } from './rowValues.ts'

export function demoValues(operations: readonly Operation[]): KnownValues {
  const answers = new Answers(operations.filter(({ method }) => method === 'GET'))
  const values: Record<string, string> = {}
  for (const operation of answers.operations) {
    const required = operation.inQuery.filter(({ isRequired, schema }) => isRequired && !('enum' in schema))
    for (const { name, schema } of [...operation.inPath, ...required]) {
      const [example] = (schema['examples'] ?? []) as unknown[]
      // The workspace decides about its account and about now.
      const isOther = /^(?:from|to|account_id)$/.test(name)
      if (example === undefined || isOther || sourcesOf(operation, answers, name).length > 0) continue
      values[`${operation.interface}.${name}`] = textOf(example)
    }
  }
  return values
}
