/** The display data of a card in a snapshot. A snapshot cannot contain the full card number. */
import { Type } from '@sinclair/typebox'
import { text } from '../storage/shapes.ts'

export const cardShapes = () => ({
  cardLast4: Type.String({ pattern: '^\\d{4}$' }),
  cardBrand: text(40),
  cardBin: Type.String({ pattern: '^\\d{6,8}$' }),
  cardExp: Type.String({ pattern: '^(0[1-9]|1[0-2])\\d{2}$' }),
})
