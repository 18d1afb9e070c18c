/** Runs the scenarios on the simulator itself first. A scenario that differs there shows nothing about a service. */
import { NO_SHAPES } from '../model/shapes.ts'
import { ServiceClient } from '../exchanges/serviceClient.ts'
import { Checks } from '../checks/checks.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { SelfCheckError } from '../prepare.ts'
import { Answers } from '../crawl/answers.ts'
import type { Baseline } from '../baseline.ts'
import { checkScenarios } from './checkScenarios.ts'
import { NO_LEDGER } from './ledger.ts'
import { runScenarios } from './runScenarios.ts'

/** Throws a SelfCheckError if a scenario shows a difference between two workspaces of the simulator. */
export async function scenariosMustAgree(
  { reference }: Baseline,
  interfaces: readonly InterfaceName[],
  allow: readonly string[],
): Promise<void> {
  const demo = await reference.scratch('demo')
  try {
    const published = await Promise.all(interfaces.map((name) => reference.published(name)))
    const { steps } = await runScenarios({
      run: 'self-check-0001',
      published,
      allow,
      client: new ServiceClient({ service: demo.service, budget: Infinity, intervalMs: 0, mayWrite: true }),
      ledger: NO_LEDGER,
      reference,
      timezone: demo.timezone,
      known: { account_id: String(demo.accountId) },
      confirm: () => Promise.resolve(true),
    })
    for (const { name, operations, claims } of published) {
      const checks = new Checks()
      const own = steps.filter(({ exchange }) => exchange.probe.operation.interface === name)
      const context = {
        name,
        answers: new Answers(operations),
        claims,
        checks,
        untrue: NONE,
        moving: NONE,
        shapes: NO_SHAPES,
      }
      checkScenarios(context, own, operations)
      const [first] = checks.tallies.flatMap(({ differences }) => differences)
      if (first)
        throw new SelfCheckError(
          `The simulator differs from itself, so a comparison would mean nothing: ${name} ${first.place}: ${first.message ?? 'the answers differ'}`,
        )
    }
  } finally {
    await reference.delete(demo)
  }
}

const NONE: ReadonlySet<string> = new Set()
