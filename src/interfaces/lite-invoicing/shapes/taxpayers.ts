/** Taxpayers on the wire. Specification part 2, "Lite invoicing". */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { documentedLimits } from '../../../http/schemas/schemas.ts'
import { shape, valueOf } from '../../../http/shapes/shape.ts'
import { taxpayers } from '../../../state/lite-invoicing/tables.ts'

export const Ruc = (words: SchemaOptions = {}) =>
  valueOf(taxpayers.ruc, { ...words, examples: ['155712345-2-2022'] })

/** The spellings of one RUC. */
export const SPELLINGS =
  'Case, spaces, leading zeros and the dash before AV, PI and NT do not matter (assumed).'

export const WHICH_TYPE = '1: natural person. 2: legal entity.'

/** The specification shows the two types. */
const ONE_OR_TWO = documentedLimits('minimum', 'maximum')

/** The alias of the query parameter `type`. */
export const TYPE_ALIAS = 'tipo'

export const RucQuery = Type.Object({
  ruc: Ruc({ description: SPELLINGS }),
  type: valueOf(taxpayers.type, {
    description: `${WHICH_TYPE} tipo is an alias. A natural person and a legal entity can have the same RUC, with different check digits (assumed).`,
    examples: [2],
    ...ONE_OR_TWO,
    'x-aliases': [TYPE_ALIAS],
  }),
})

export const Taxpayer = shape({ item: 'Taxpayer' }, taxpayers, {
  fields: () => ({
    ruc: { schema: Ruc() },
    dv: {
      bounded: true,
      words: { description: 'The check digit as a number: 8 for the printed "08".', examples: [12] },
    },
    name: { words: { examples: ['Canal Logistics'] } },
    // The example fits the example RUC, which is in the demo workspace.
    type: { bounded: true, words: { description: WHICH_TYPE, examples: [2], ...ONE_OR_TWO } },
  }),
})
