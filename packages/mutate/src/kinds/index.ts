/** All kinds of mutations. */
import { ANSWER_KINDS } from './answers.ts'
import { FIELD_KINDS, WEBHOOK_KINDS } from './fields.ts'
import { HARMLESS_KINDS } from './harmless.ts'
import type { Kind } from './kind.ts'
import { LIMIT_KINDS } from './limits.ts'

export const KINDS: readonly Kind[] = [
  ...FIELD_KINDS,
  ...WEBHOOK_KINDS,
  ...ANSWER_KINDS,
  ...LIMIT_KINDS,
  ...HARMLESS_KINDS,
]

export const kindOf = (name: string): Kind | undefined => KINDS.find((kind) => kind.name === name)
