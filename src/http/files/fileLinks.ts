/**
 * Signed links to stored files that expire on the workspace's clock. Anyone with a link can load the file;
 * links can't be guessed. These links are assumed; the specification shows addresses of files, but no server
 * behind them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { boundedCaches } from '../../state/storage/queries/boundedCaches.ts'
import { MAX_FILE_NAME_LENGTH } from '../../state/storage/tables.ts'
import { truncate } from '../../state/text/truncate.ts'
import type { StoredFile } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { FILES_PATH } from '../server/parts.ts'

/**
 * Minimum lifetime of a link in ms, and half of the maximum. A link stays the same for this time, like cached
 * responses.
 */
const LIFETIME = 60 * 60 * 1000

/**
 * The URL of a file, and the instant until which the same URL is issued; both follow from the workspace's
 * clock.
 */
export interface FileLink {
  readonly url: string
  /** In ms since the epoch. */
  readonly until: number
}

/** The fields of a file in its link. */
type LinkedFile = Pick<StoredFile, 'id' | 'name'>

/**
 * Returns the name as one segment of a path. Clients remove the segments "." and ".." from a URL. A record of a snapshot can have
 * any name.
 */
const segmentOf = (name: string): string =>
  /^\.{0,2}$/.test(name) ? 'file' : encodeURIComponent(truncate(name, MAX_FILE_NAME_LENGTH).toWellFormed())

/** Returns the instant until which the links of a time are issued, in ms since the epoch. */
const endOfLinks = (now: number): number => (Math.floor(now / LIFETIME) + 1) * LIFETIME

/** Cached because the same links repeat, and signing one takes as long as reading a row. */
const linkCache = boundedCaches<string, FileLink>({
  maxSize: 4_000_000,
  sizeCalculation: ({ url }, key) => 100 + url.length + key.length,
})

export function fileLink(workspace: Workspace, file: LinkedFile): FileLink {
  const links = linkCache(workspace.database)
  const until = endOfLinks(workspace.clock.nowUntil(endOfLinks))
  const key = JSON.stringify([workspace.publicUrl, workspace.id, file.id, file.name])
  const saved = links.get(key)
  if (saved?.until === until) return saved
  const link = signedLink(workspace, file, until)
  links.set(key, link)
  return link
}

function signedLink(workspace: Workspace, { id, name }: LinkedFile, until: number): FileLink {
  const expires = until + LIFETIME
  const path = `${FILES_PATH}/${encodeURIComponent(workspace.id)}/${encodeURIComponent(id)}/${segmentOf(name)}`
  const signature = signatureOf(workspace, id, expires)
  return {
    url: `${workspace.publicUrl}${path}?expires=${String(expires / 1000)}&signature=${signature}`,
    until,
  }
}

/** Checks the signature of a link to the file that expires at `expires`, in s since the epoch. */
export function isSigned(workspace: Workspace, id: string, expires: number, signature: string): boolean {
  const sent = Buffer.from(signature)
  const expected = Buffer.from(signatureOf(workspace, id, expires * 1000))
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

const signatureOf = ({ id: workspace, secret }: Workspace, file: string, expires: number): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['file', workspace, file, expires]))
    .digest('base64url')
