/** The tables of forms, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { forms } from './forms.ts'
import { responses } from './responseRecords.ts'

export const formRecords: readonly RecordSet[] = [forms, responses]
