/** Prompts at a terminal. A separate bundle, loaded when the first prompt is needed. */
import { isCancel, select, text } from '@clack/prompts'
import type { FieldSchema } from '../remote/fieldSchema.ts'

/** Asks for the value of a field. Returns the text, or null if the user cancels. */
export async function askForField(name: string, schema: FieldSchema): Promise<string | null> {
  const message = schema.description === undefined ? name : `${name}: ${schema.description}`
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null)
  const answer = choices
    ? await select({ message, options: choices.map((value) => ({ value: String(value) })) })
    : await text({
        message,
        validate: (value) => ((value ?? '').trim() === '' ? 'A value is required.' : undefined),
      })
  return isCancel(answer) ? null : answer
}
