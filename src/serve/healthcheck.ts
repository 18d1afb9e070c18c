/** `suite-sim healthcheck`: checks a server, for containers and for scripts that wait until it is ready. */
import { io } from '@suite-sim/kit/terminal/io'
import type { HealthcheckSettings } from './flags.ts'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import { causeOf } from '@suite-sim/kit/terminal/remote'
import { askHere } from './askHere.ts'
import { urlAt } from './serverFile.ts'

/** The timeout of the health check. */
const TIMEOUT_MS = 5000

export async function healthcheck(settings: HealthcheckSettings): Promise<void> {
  const url = `${settings.url ?? addressOf(settings)}/_sim/health`
  const status = await (settings.url === undefined ? statusHere(url) : statusOf(url))
  if (status !== 200) throw new CommandError(`${url} responded with ${String(status)}`)
  io().stdout.write(`${url} is healthy\n`)
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw new CommandError(`${url} does not respond: ${causeOf(error)}`)
  }
}

/** Asks the server of this machine, whose certificate has other names than a loopback address. */
async function statusHere(url: string): Promise<number> {
  try {
    return (await askHere(url, TIMEOUT_MS)).status
  } catch (error) {
    throw new CommandError(`${url} does not respond: ${causeOf(error)}`)
  }
}

/** Returns the URL of the server from its host and port. */
function addressOf({ host, port, tls, tlsCert }: HealthcheckSettings): string {
  if (port === 0)
    throw new CommandError('--port must be the port of the running server, not 0; use --port or --url')
  return urlAt(host, port, tls === undefined && tlsCert === undefined ? 'http' : 'https')
}
