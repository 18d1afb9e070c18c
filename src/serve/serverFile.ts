/** Finds the server that uses a port or a database, for the error message of a second server. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** The timeout for a server on this machine. */
const TIMEOUT_MS = 10_000

/** Returns the file next to the database with the URL of its server. It exists while the server runs. */
const serverFileOf = (db: string): string => `${db}-url`

/** Writes the URL of the server to the file. Returns a function that deletes the file. */
export function writeServerFile(db: string, url: string): () => void {
  if (db === ':memory:') return () => undefined
  const file = serverFileOf(db)
  try {
    writeFileSync(file, `${url}\n`)
  } catch {
    // The server works without the file.
  }
  return () => {
    rmSync(file, { force: true })
  }
}

/** Returns the URL of the simulator that uses this database; null if none is found. */
export async function serverOfDatabase(db: string): Promise<string | null> {
  try {
    const url = readFileSync(serverFileOf(db), 'utf8').trim()
    return (await isSimulator(url)) ? url : null
  } catch {
    return null
  }
}

/** Returns the URL of the simulator at this port; null if another program uses the port. */
export async function serverAtPort(host: string, port: number): Promise<string | null> {
  const urls = (['http', 'https'] as const).map((protocol) => urlAt(host, port, protocol))
  // Both at once, because a program of another kind may let each wait for the timeout.
  const found = await Promise.all(urls.map(isSimulator))
  return urls.find((_url, index) => found[index]) ?? null
}

/** Returns a URL that reaches a server with this host. For 0.0.0.0 and ::, uses loopback. */
export function urlAt(host: string, port: number, protocol: 'http' | 'https'): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${protocol}://${address.includes(':') ? `[${address}]` : address}:${String(port)}`
}

async function isSimulator(url: string): Promise<boolean> {
  try {
    const { askHere } = await import('./askHere.ts')
    const { text } = await askHere(`${url}/_sim/health/live`, TIMEOUT_MS)
    const body = JSON.parse(text) as { readonly status?: unknown; readonly version?: unknown } | null
    return body?.status === 'ok' && typeof body.version === 'string'
  } catch {
    return false
  }
}
