/** `verify`: compares a service with the simulator, and reports a verdict for each claim. */
import { systemNow } from '../state/model/clock.ts'
import { randomToken } from '../state/storage/database/ids.ts'
import type { InterfaceName } from '../state/model/interfaceNames.ts'
import { VERSION } from '../version.ts'
import { Asker, ServiceError } from './asking/asker.ts'
import { calibrate, type Calibration } from './calibration.ts'
import { Checks, type Tally } from './checks.ts'
import { checkDifferential } from './differential/differential.ts'
import { flakyTallies } from './flaky.ts'
import { checkContract } from './oracles/contract.ts'
import type { OracleContext } from './oracles/context.ts'
import { checkFormats } from './oracles/documents.ts'
import { checkInvariants } from './oracles/invariants.ts'
import { checkRelations } from './oracles/relations.ts'
import { DEFAULT_BUDGET, DEFAULT_RATE, type VerifyHooks, type VerifyOptions } from './options.ts'
import { ALL_INTERFACES, type Reference } from './reference.ts'
import { REPORT_FORMAT, type Report } from './report/report.ts'
import { differencesIn, notCheckedIn, summaryOf } from './reporting.ts'
import { verdictsOf } from './verdicts.ts'
import { Readings, readingsOf } from './walk/readings.ts'
import { walk, type Unasked } from './walk/walk.ts'

/** The answers of one interface, and what the oracles say of them. */
export interface Measured {
  readonly name: InterfaceName
  readonly context: OracleContext
  readonly unasked: Unasked
  /** Differences that were seen once, and not again. */
  readonly flaky: ReadonlySet<Tally>
}

/** A run that has ended. */
export interface Measurement {
  readonly interfaces: readonly Measured[]
  readonly report: Report
}

/** A reference, and what its own demo shows. It serves several runs. */
export interface Yardstick {
  readonly reference: Reference
  readonly calibration: Calibration
}

/** The comparison of the simulator with itself found a difference, so no other comparison means anything. */
export class SelfCheckError extends Error {
  override readonly name = 'SelfCheckError'
}

/**
 * Prepares a reference: it is calibrated, and then compared with itself. Throws a SelfCheckError if that shows a
 * difference.
 */
export async function prepare(
  reference: Reference,
  interfaces?: readonly InterfaceName[],
): Promise<Yardstick> {
  const calibration = await calibrate(reference)
  const demo = await reference.scratch('demo')
  const { report } = await measure(
    {
      ...demo.service,
      account: demo.accountId,
      timezone: demo.timezone,
      budget: Infinity,
      rate: null,
      probeAuth: true,
      ...(interfaces && { interfaces }),
    },
    { reference, calibration },
  )
  await reference.delete(demo)
  const [first] = report.differences
  if (first) {
    throw new SelfCheckError(
      `The simulator differs from itself, so a comparison would mean nothing: ${first.place}: ${first.message}`,
    )
  }
  return { reference, calibration }
}

/** Reads a service, and compares it with the reference. */
export async function measure(
  options: VerifyOptions,
  { reference, calibration }: Yardstick,
  { signal, onProgress = () => undefined }: VerifyHooks = {},
): Promise<Measurement> {
  const {
    baseUrl,
    key,
    at,
    budget = DEFAULT_BUDGET,
    rate = DEFAULT_RATE,
    interfaces = ALL_INTERFACES,
  } = options
  const startedAt = new Date(systemNow()).toISOString()
  let stage = ''
  let differences = 0
  const asker: Asker = new Asker({
    service: { baseUrl, key, ...(at && { at }) },
    budget,
    intervalMs: rate ? (rate.seconds * 1000) / rate.calls : 0,
    mayWrite: false,
    ...(signal && { signal }),
    onExchange: () => {
      tell()
    },
  })
  const tell = (): void => {
    onProgress({ stage, requests: asker.asked, budget, differences })
  }
  const published = await Promise.all(interfaces.map((name) => reference.published(name)))
  const { walked, endedEarly } = await walkUntilEnd(
    options,
    asker,
    published.flatMap(({ operations }) => operations),
    (name) => {
      stage = `reads ${name}`
    },
  )

  const measured: Measured[] = []
  const verdicts: Report['claims'][number][] = []
  const found: Report['differences'][number][] = []
  for (const { name, operations, claims } of published) {
    stage = `compares ${name}`
    tell()
    const readings = readingsOf(walked?.readings ?? new Readings([]), operations)
    const unasked = new Map(
      [...(walked?.unasked ?? [])].filter(([operation]) => operations.includes(operation)),
    )
    const { untrue, moving, invariants, formats } = calibration
    const context: OracleContext = { name, readings, claims, checks: new Checks(), untrue, moving }
    checkContract(context)
    checkRelations(context)
    checkInvariants(context, invariants)
    checkFormats(context, formats)
    await checkDifferential(context, {
      reference,
      name,
      ...(options.timezone !== undefined && { timezone: options.timezone }),
    })
    const { tallies } = context.checks
    const deviating = tallies.filter(({ samples }) => samples.deviating > 0)
    const flaky = await flakyTallies(deviating, asker)
    const differing = new Set(deviating.filter((tally) => !flaky.has(tally)).map(({ claim }) => claim))
    differences += differing.size
    verdicts.push(...verdictsOf({ claims, tallies, differing, operations, unasked, mayWrite: false }))
    found.push(...differencesIn(context, deviating, flaky, asker.service))
    measured.push({ name, context, unasked, flaky })
  }
  const report: Report = {
    format: REPORT_FORMAT,
    version: VERSION,
    run: {
      id: runId(startedAt),
      mode: 'read',
      startedAt,
      endedAt: new Date(systemNow()).toISOString(),
      baseUrl,
      at: at ?? {},
      interfaces,
      requests: asker.asked,
      budget,
      endedEarly,
    },
    summary: summaryOf(verdicts, found),
    notChecked: notCheckedIn(measured, verdicts),
    differences: found,
    claims: verdicts,
  }
  return { interfaces: measured, report }
}

/** "20261126t114500-x3k9": the time of the start, and four letters or digits. */
const runId = (startedAt: string): string =>
  `${startedAt.slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}-${randomToken()
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .slice(0, 4)}`

type Walked = Awaited<ReturnType<typeof walk>>

/** Walks until the end of the plan, the budget, the patience of the user, or the service. */
async function walkUntilEnd(
  { account, values, probeAuth = false }: VerifyOptions,
  asker: Asker,
  operations: Parameters<typeof walk>[0]['operations'],
  onStage: (stage: string) => void,
): Promise<{ walked: Walked | null; endedEarly: string | null }> {
  const known = { ...(account !== undefined && { account_id: String(account) }), ...values }
  try {
    const walked = await walk({ asker, operations, known, probesAuth: probeAuth, onStage })
    return {
      walked,
      endedEarly: asker.isStopped
        ? 'the run was stopped'
        : asker.remaining === 0
          ? 'the budget was spent'
          : null,
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { walked: null, endedEarly: error.message }
  }
}
