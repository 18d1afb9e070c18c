/** All kinds of drift. */
import type { Kind } from '../kind.ts'
import { ANSWER_KINDS } from './answers.ts'
import { FIELD_KINDS } from './fields.ts'
import { LIST_KINDS } from './lists.ts'
import { VALUE_KINDS } from './values.ts'

export const KINDS: readonly Kind[] = [...FIELD_KINDS, ...VALUE_KINDS, ...ANSWER_KINDS, ...LIST_KINDS]
