/** Who uses a record, for refusals to delete it. */
import { refuse, type Users } from '../refusal.ts'

/** Says no to a deletion while anybody uses the record: `users` are told by kind, those of each kind by id and name. */
export function mustBeUnused(noun: string, users: Users): void {
  const kinds = Object.entries(users).filter(([, each]) => each.length > 0)
  if (kinds.length === 0) return
  const told = kinds.map(([kind, each]) => `${kind} ${each.map(({ id }) => id).join(', ')}`)
  refuse('conflict', `The ${noun} is used by the ${told.join(' and the ')}.`, { usedBy: users })
}

/** As many of each kind as a refusal names. */
export const NAMED_USERS = 20
