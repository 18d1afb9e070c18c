/** The report as a call of the library. */
import { SimulatorClient } from '@suite-sim/client/client'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { gatherFacts } from './facts.ts'
import type { ReportOptions } from './options.ts'
import type { Part } from './part.ts'
import { partOf } from './reliances.ts'
import { reportOf } from './report.ts'
import type { RunReport } from './runReport.ts'
import { examScoreOf, mutateScoreOf } from './scores.ts'

export interface ReportedWorkspace {
  readonly url: string
  readonly adminToken: string | null
  /** The id of the workspace. */
  readonly id: string
}

/** Returns the report on workspaces of one server. */
export async function reportFor(
  workspaces: readonly ReportedWorkspace[],
  { verify, exams = [], mutate }: ReportOptions,
): Promise<RunReport> {
  const measured = {
    verify,
    exams: exams.map((each) => scoreOf('each of exams', examScoreOf, each)),
    mutate: mutate && scoreOf('mutate', mutateScoreOf, mutate),
  }
  const [first] = workspaces
  const simulator = new SimulatorClient(first?.url ?? '', { adminToken: first?.adminToken ?? null })
  const parts: Part[] = []
  for (const { id } of workspaces) parts.push(partOf(await gatherFacts(simulator, id)))
  return reportOf(parts, measured, iso(systemNow()))
}

function scoreOf<Given, Score>(option: string, read: (given: Given) => Score, given: Given): Score {
  try {
    return read(given)
  } catch (error) {
    throw new TypeError(`reportRun(): ${option} ${(error as Error).message}`, { cause: error })
  }
}
