/** The tables of recruiting, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { applications, candidates, notes, stageChanges } from './candidates.ts'
import { evaluations } from './evaluations.ts'
import { importRows, imports } from './imports.ts'
import { interviews } from './interviews.ts'
import { vacancies } from './vacancies.ts'

export const recruitingRecords: readonly RecordSet[] = [
  vacancies,
  candidates,
  applications,
  stageChanges,
  notes,
  interviews,
  evaluations,
  imports,
  importRows,
]
