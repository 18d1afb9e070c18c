/** Questions to a person at a terminal. Built to a file of its own, which is loaded when somebody is asked. */
import { isCancel, select, text } from '@clack/prompts'
import type { FieldSchema } from './fieldSchema.ts'

/** What was answered, as it was written; null when the person would rather not. */
export async function askForField(name: string, schema: FieldSchema): Promise<string | null> {
  const message = schema.description === undefined ? name : `${name}: ${schema.description}`
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null)
  const answer = choices
    ? await select({ message, options: choices.map((value) => ({ value: String(value) })) })
    : await text({
        message,
        validate: (value) => ((value ?? '').trim() === '' ? 'It is required.' : undefined),
      })
  return isCancel(answer) ? null : answer
}
