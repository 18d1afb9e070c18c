/** The page for going live of a run (`suite-sim report`), if SUITE_SIM_REPORT names a folder. */
import { variable } from '@suite-sim/client/environment'
import type { NewWorkspace, SimulatorClient } from '../index.ts'

const folder = (): string | undefined => variable('SUITE_SIM_REPORT')

// Loaded only for a page.
const reporting = () => import('@suite-sim/cli/report/runFolder')

/** Keeps what a test relied on, before its workspace is deleted. */
export async function keepForReport(
  { url, adminToken }: SimulatorClient,
  { id }: NewWorkspace,
  test: string,
): Promise<void> {
  const to = folder()
  if (to === undefined) return
  const { keepPart } = await reporting()
  await keepPart(to, { url, adminToken, id, test }).catch((error: unknown) => {
    // The test may have deleted its workspace.
    if ((error as { code?: unknown }).code === 'not_found') return
    throw new Error(`After the test, SUITE_SIM_REPORT could not be written: ${String(error)}`, {
      cause: error,
    })
  })
}

/** Writes the page of all tests that have ended. */
export async function writeReport(): Promise<void> {
  const to = folder()
  if (to !== undefined) (await reporting()).writeRun(to)
}

/** Removes what the tests of an earlier run relied on. */
export async function removeReport(): Promise<void> {
  const to = folder()
  if (to !== undefined) (await reporting()).removeParts(to)
}
