/** What happens to forms. The specification shows no events of them: they are assumed, for subscriptions of the control plane. */
import type { Workspace } from '../workspace.ts'
import type { forms, responses } from './tables.ts'

type Form = typeof forms.$inferSelect

export interface FormEvents {
  'form.created': { readonly form: Form }
  'form.published': { readonly form: Form }
  'response.completed': { readonly form: Form; readonly response: typeof responses.$inferSelect }
}

export type FormEventName = keyof FormEvents

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export function appendFormEvent<Name extends FormEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: FormEvents[Name],
): void {
  workspace.append({ interface: 'forms', name, record, data: { ...data } })
}
