/**
 * The events of forms. The specification shows none; they are assumed, and only subscriptions of the control plane
 * receive them.
 */
import type { Workspace } from '../workspace/workspace.ts'
import type { forms, responses } from './tables.ts'

type Form = typeof forms.$inferSelect

export interface FormEvents {
  'form.created': { readonly form: Form }
  'form.published': { readonly form: Form }
  'response.completed': { readonly form: Form; readonly response: typeof responses.$inferSelect }
}

export type FormEventName = keyof FormEvents

/** Appends an event about the record with this id. Only inside a `write`. */
export function appendFormEvent<Name extends FormEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: FormEvents[Name],
): void {
  workspace.append({ interface: 'forms', name, record, data: { ...data } })
}
