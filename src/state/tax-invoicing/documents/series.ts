/** Folios: 1, 2, 3 ... for each series, without gaps, because a refused invoice rolls back its folio. */
import { record } from '../../storage/records/record.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { series as table } from '../tables.ts'

export const series = record(table, {
  noun: 'series',
  snapshot: { section: 'tax-invoicing', name: 'series' },
})

const bySerie = series.by('serie')

/** Takes the next folio of a series. Call it inside a `write`. */
export function nextFolio(workspace: Workspace, serie: string): number {
  const existing = bySerie.find(workspace, serie)
  if (existing) return series.update(workspace, existing, { lastFolio: existing.lastFolio + 1 }).lastFolio
  return series.insert(workspace, {
    id: workspace.ids.prefixed('ser_'),
    serie,
    lastFolio: 1,
    createdAt: workspace.now(),
  }).lastFolio
}
