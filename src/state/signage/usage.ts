/** Refusals to delete a record that other records use. */
import { refuse, type RecordUsers } from '../model/refusal.ts'

/** Refuses to delete a record that has `users`. The response lists them by kind, with id and name. */
export function mustBeUnused(noun: string, users: RecordUsers): void {
  const kinds = Object.entries(users).filter(([, each]) => each.length > 0)
  if (kinds.length === 0) return
  const lists = kinds.map(([kind, each]) => `${kind} ${each.map(({ id }) => id).join(', ')}`)
  refuse('conflict', `The ${noun} is used by the ${lists.join(' and the ')}.`, { usedBy: users })
}

/** The maximum number of users of each kind that a refusal lists. */
export const NAMED_USERS = 20
