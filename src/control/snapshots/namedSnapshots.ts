/** Snapshots that a request or a flag names by their path or URL. */
import { Refusal } from '../../state/model/refusal.ts'
import type { Records } from '../../state/storage/records/records.ts'
import type { Snapshot } from './snapshot.ts'
import { ReceivedSnapshot, readSnapshot } from './snapshotReading.ts'
import { checkSnapshot } from './snapshotShape.ts'
import { openSource, shownSource, SourceError, sourceProblem } from './sources.ts'

/** Returns the validated snapshot in a file or at a URL; close it after the last use. `field` is its path in the body. */
export async function readNamedSnapshot(records: Records, source: string, field = ''): Promise<Snapshot> {
  let body: unknown
  try {
    body = await readSnapshot(openSource(source), null)
    return await checkSnapshot(records, body, field)
  } catch (error) {
    if (body instanceof ReceivedSnapshot) await body.close()
    throw error
  }
}

/** Returns the snapshot that the body field `fixtures` names, or refuses it with a message that names the source. */
export async function requestedSource(records: Records, source: string): Promise<Snapshot> {
  const fail = (message: string): never => {
    throw new Refusal('invalid', message, { details: [{ field: 'fixtures', code: 'unreadable', message }] })
  }
  const problem = sourceProblem(source)
  if (problem !== null) fail(`fixtures ${problem}`)
  try {
    return await readNamedSnapshot(records, source, 'fixtures')
  } catch (error) {
    if (error instanceof SourceError) return fail(`fixtures: cannot read ${error.message}`)
    // The words of the parser would quote the file.
    if (error instanceof Refusal && error.reason === 'malformed') {
      return fail(`fixtures: ${shownSource(source)} is not valid JSON`)
    }
    throw error
  }
}
