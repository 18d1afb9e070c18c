/** Taxpayers, of which a call shows one by its RUC and type. The check digit follows from both. */
import type { Answers, Row } from '../../crawl/answers.ts'
import { columns, foundBodies, startOf, type Loaded, type Loader } from './loader.ts'

export const liteInvoicing: Loader = { load }

function load(answers: Answers): Loaded {
  const found = new Map(
    foundBodies(answers, 'getTaxpayer').map((body) => {
      const row = ((body as Row | null)?.['result'] ?? {}) as Row
      return [`${String(row['ruc'])} ${String(row['type'])}`, row] as const
    }),
  )
  const createdAt = startOf(answers)
  const taxpayers = [...found.values()].map((row, index) => ({
    ...columns(row, ['ruc', 'name', 'type']),
    id: `taxpayer-${String(index)}`,
    createdAt,
  }))
  return { snapshot: { 'lite-invoicing': { taxpayers } }, isComplete: true }
}
