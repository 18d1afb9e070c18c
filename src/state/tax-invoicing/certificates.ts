/**
 * The certificate that invoices are sealed with. It tells 30 days before that it expires; then another takes its place, as
 * if the issuer had seen to it, for the specification shows no call that would.
 */
import { Type } from '@sinclair/typebox'
import { desc, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { writtenInstant } from '../clock.ts'
import { record } from '../record.ts'
import type { Workspace } from '../workspace.ts'
import { appendTaxInvoicingEvent } from './events.ts'
import { certificates as table } from './tables.ts'
import { ISSUER_CERTIFICATES, type TestCertificate } from './testCertificates.ts'

export type Certificate = typeof table.$inferSelect

const DAY = 86_400_000

/** Days before the end at which it is told of (assumed). */
export const WARNING_DAYS = 30

/** Days that the first certificate of a workspace has left at least. */
const LEAST_LEFT = 60

const YEARS = 4

export const certificates = record(table, {
  noun: 'certificate',
  due: {
    at: 'nextAt',
    when: {},
    job: 'tax-invoicing.certificate.expire',
    run(workspace, certificate, instant) {
      if (certificate.warnedAt === null) warn(workspace, certificate, instant)
      else renew(workspace, certificate, instant)
    },
  },
  snapshot: {
    section: 'tax-invoicing',
    name: 'certificates',
    instants: ['validFrom', 'validUntil', 'nextAt', 'warnedAt', 'createdAt'],
    shapes: () => ({ number: Type.String({ pattern: '^\\d{20}$' }) }),
  },
})

const newestFirst = query((orm) =>
  orm
    .select()
    .from(table)
    .where(ofWorkspace(table))
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

const startOf = ({ from }: TestCertificate): number => writtenInstant(`${from}T00:00:00Z`)

const endOf = ({ from }: TestCertificate): number =>
  writtenInstant(`${String(Number(from.slice(0, 4)) + YEARS)}${from.slice(4)}T00:00:00Z`)

/** The certificate in use; the first time, one that holds. Only inside a `write`. */
export function currentCertificate(workspace: Workspace): Certificate {
  const now = workspace.now()
  return newestFirst.first(workspace) ?? install(workspace, firstOf(now), now)
}

function firstOf(now: number): TestCertificate {
  const holds = ISSUER_CERTIFICATES.find(
    (each) => startOf(each) <= now && endOf(each) > now + LEAST_LEFT * DAY,
  )
  return holds ?? latestOf(now)
}

/** The last that has begun to hold; the first of all where none has. */
function latestOf(now: number): TestCertificate {
  const found = ISSUER_CERTIFICATES.findLast((each) => startOf(each) <= now) ?? ISSUER_CERTIFICATES[0]
  if (!found) throw new Error('there is no certificate')
  return found
}

function install(workspace: Workspace, certificate: TestCertificate, now: number): Certificate {
  // Beyond the last of them, that one goes on.
  const validUntil = Math.max(endOf(certificate), now + LEAST_LEFT * DAY)
  return certificates.insert(workspace, {
    id: workspace.ids.prefixed('cert_'),
    number: certificate.number,
    validFrom: startOf(certificate),
    validUntil,
    nextAt: validUntil - WARNING_DAYS * DAY,
    warnedAt: null,
    createdAt: now,
  })
}

function warn(workspace: Workspace, certificate: Certificate, instant: number): Certificate {
  const warned = certificates.update(workspace, certificate, {
    warnedAt: instant,
    nextAt: certificate.validUntil,
  })
  appendTaxInvoicingEvent(workspace, 'certificate.expiring', warned.id, { certificate: warned, at: instant })
  return warned
}

function renew(workspace: Workspace, certificate: Certificate, instant: number): void {
  certificates.update(workspace, certificate, { nextAt: null })
  const next = ISSUER_CERTIFICATES[ISSUER_CERTIFICATES.findIndex(isOf(certificate)) + 1]
  install(workspace, next && startOf(next) <= instant ? next : latestOf(instant), instant)
}

const isOf =
  ({ number }: Certificate) =>
  (each: TestCertificate): boolean =>
    each.number === number

/** Lets the certificate in use expire in so many days, and tells of it. */
export const letExpire = (workspace: Workspace, days: number): Certificate =>
  workspace.write(() => {
    const now = workspace.now()
    const current = currentCertificate(workspace)
    const shortened = certificates.update(workspace, current, { validUntil: now + days * DAY })
    return warn(workspace, shortened, now)
  })
