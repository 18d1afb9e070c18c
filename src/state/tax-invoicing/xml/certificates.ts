/**
 * The certificate that seals invoices. It emits an event 30 days before it expires. On expiry, the simulator installs a new
 * one, because the specification shows no call for it.
 */
import { desc, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { offsetInstantOf } from '@suite-sim/kit/time/instants'
import { record } from '../../storage/records/record.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { appendTaxInvoicingEvent } from '../documents/events.ts'
import { certificates as table } from '../tables.ts'
import { ISSUER_CERTIFICATES, type TestCertificate } from './testCertificates.ts'

export type Certificate = typeof table.$inferSelect

const DAY = 86_400_000

/** The event is emitted this many days before the certificate expires (assumed). */
export const WARNING_DAYS = 30

/** The first certificate of a workspace is valid for at least this many days. */
const MIN_DAYS_LEFT = 60

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
  snapshot: { section: 'tax-invoicing', name: 'certificates' },
})

const newestFirst = query((orm) =>
  orm
    .select()
    .from(table)
    .where(ofWorkspace(table))
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

const startOf = ({ from }: TestCertificate): number => offsetInstantOf(`${from}T00:00:00Z`)

const endOf = ({ from }: TestCertificate): number =>
  offsetInstantOf(`${String(Number(from.slice(0, 4)) + YEARS)}${from.slice(4)}T00:00:00Z`)

/** Returns the certificate in use. Installs a valid one on the first call. Call it inside a `write`. */
export function currentCertificate(workspace: Workspace): Certificate {
  const now = workspace.now()
  return newestFirst.first(workspace) ?? install(workspace, firstCertificateAt(now), now)
}

function firstCertificateAt(now: number): TestCertificate {
  const valid = ISSUER_CERTIFICATES.find(
    (each) => startOf(each) <= now && endOf(each) > now + MIN_DAYS_LEFT * DAY,
  )
  return valid ?? latestCertificateAt(now)
}

/** Returns the newest certificate that is valid already, or the first one if none is. */
function latestCertificateAt(now: number): TestCertificate {
  const found = ISSUER_CERTIFICATES.findLast((each) => startOf(each) <= now) ?? ISSUER_CERTIFICATES[0]
  if (!found) throw new Error('there is no certificate')
  return found
}

function install(workspace: Workspace, certificate: TestCertificate, now: number): Certificate {
  // After the last test certificate, its validity is extended.
  const validUntil = Math.max(endOf(certificate), now + MIN_DAYS_LEFT * DAY)
  return certificates.insert(workspace, {
    id: workspace.ids.prefixed('cert_'),
    number: certificate.number,
    validFrom: startOf(certificate),
    validUntil,
    nextAt: validUntil - WARNING_DAYS * DAY,
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
  const next = ISSUER_CERTIFICATES[ISSUER_CERTIFICATES.findIndex(hasNumberOf(certificate)) + 1]
  install(workspace, next && startOf(next) <= instant ? next : latestCertificateAt(instant), instant)
}

const hasNumberOf =
  ({ number }: Certificate) =>
  (each: TestCertificate): boolean =>
    each.number === number

/** Makes the certificate in use expire in `days` days, and emits the event. */
export const expireInDays = (workspace: Workspace, days: number): Certificate =>
  workspace.write(() => {
    const now = workspace.now()
    const current = currentCertificate(workspace)
    const shortened = certificates.update(workspace, current, { validUntil: now + days * DAY })
    return warn(workspace, shortened, now)
  })
