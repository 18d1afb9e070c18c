/** Where a server runs that holds a port or a database, for the person who starts a second one. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** A server of this machine that takes longer does not answer. */
const TIMEOUT_MS = 2000

/** Lies beside the database as long as a server uses it, as SQLite's own files do. */
const noteOf = (db: string): string => `${db}-url`

/** Notes where the server of this database is; answers with what takes the note away. */
export function writeServerFile(db: string, url: string): () => void {
  if (db === ':memory:') return () => undefined
  const note = noteOf(db)
  try {
    writeFileSync(note, `${url}\n`)
  } catch {
    // It only helps; the server runs without it.
  }
  return () => {
    rmSync(note, { force: true })
  }
}

/** Where the simulator runs that uses this database; null where none is found. */
export async function serverOfDatabase(db: string): Promise<string | null> {
  try {
    const url = readFileSync(noteOf(db), 'utf8').trim()
    return (await isSimulator(url)) ? url : null
  } catch {
    return null
  }
}

/** Where the simulator runs that listens at this port; null where something else does. */
export async function serverAtPort(host: string, port: number): Promise<string | null> {
  const url = urlAt(host, port)
  return (await isSimulator(url)) ? url : null
}

/** The address that reaches a server which listens at this host; one that listens everywhere is at the local one. */
export function urlAt(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${String(port)}`
}

async function isSimulator(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`${url}/_sim/health/live`, { signal, redirect: 'manual' })
    const body = (await response.json()) as { readonly status?: unknown; readonly version?: unknown } | null
    return body?.status === 'ok' && typeof body.version === 'string'
  } catch {
    return false
  }
}
