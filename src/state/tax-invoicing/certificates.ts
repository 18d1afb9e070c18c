/** The certificate that invoices are sealed with: it is renewed when it expires, and tells of that 30 days before. */
import { record } from '../record.ts'
import { certificates as table } from './tables.ts'
import { Type } from '@sinclair/typebox'

export type Certificate = typeof table.$inferSelect

export const certificates = record(table, {
  noun: 'certificate',
  snapshot: {
    section: 'tax-invoicing',
    name: 'certificates',
    instants: ['validFrom', 'validUntil', 'nextAt', 'warnedAt', 'createdAt'],
    shapes: () => ({ number: Type.String({ pattern: '^\\d{20}$' }) }),
  },
})
