/** `suite-sim healthcheck`: for containers and scripts that wait until the server is there. */
import type { HealthcheckSettings } from './flags.ts'
import { Problem } from './problem.ts'
import { causeOf } from './remote.ts'
import { urlAt } from './serverFile.ts'

/** A server that takes longer is not well. */
const TIMEOUT_MS = 5000

export async function healthcheck(settings: HealthcheckSettings): Promise<void> {
  const url = `${settings.url ?? addressOf(settings)}/_sim/health`
  const status = await statusOf(url)
  if (status !== 200) throw new Problem(`${url} answered ${String(status)}`)
  process.stdout.write(`${url} is well\n`)
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw new Problem(`${url} does not answer: ${causeOf(error)}`)
  }
}

/** Where it is by its host and port. */
function addressOf({ host, port }: HealthcheckSettings): string {
  if (port === 0)
    throw new Problem('port 0 says nothing about where the server is; name it with --url or --port')
  return urlAt(host, port)
}
