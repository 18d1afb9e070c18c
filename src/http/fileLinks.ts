/**
 * Links to stored files: signed and expiring, so that whoever is shown one may load the file and nobody can guess
 * another. What expires shows on the workspace's clock. That files are reached like this is assumed; the specification
 * shows addresses of files and not what is behind them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { boundedCaches } from '../state/boundedCaches.ts'
import type { StoredFile } from '../state/storedFiles.ts'
import type { Workspace } from '../state/workspace.ts'
import { FILES_PATH } from './parts.ts'

/** Ms that a link lasts at least, and half of what it lasts at most: a link stays the same for so long, as answers that are remembered have it. */
const LIFETIME = 60 * 60 * 1000

/** An address that loads the file, and until when the same one is given out; both follow from the workspace's clock. */
export interface FileLink {
  readonly url: string
  /** In ms since the epoch. */
  readonly until: number
}

/** What of a file its link depends on. */
type LinkedFile = Pick<StoredFile, 'id' | 'name'>

/** Until when, in ms since the epoch, the links that are given out now are given out. */
export const linksHoldUntil = (workspace: Workspace): number =>
  (Math.floor(workspace.now() / LIFETIME) + 1) * LIFETIME

/** The same ones are given out again and again, and to sign one takes as long as to read the row that it is part of. */
const given = boundedCaches<string, FileLink>({
  maxSize: 4_000_000,
  sizeCalculation: ({ url }, key) => 100 + url.length + key.length,
})

export function fileLink(workspace: Workspace, file: LinkedFile): FileLink {
  const links = given(workspace.database)
  const until = linksHoldUntil(workspace)
  const key = JSON.stringify([workspace.registry.publicUrl, workspace.id, file.id, file.name])
  const known = links.get(key)
  if (known?.until === until) return known
  const link = signedLink(workspace, file, until)
  links.set(key, link)
  return link
}

function signedLink(workspace: Workspace, { id, name }: LinkedFile, until: number): FileLink {
  const expires = until + LIFETIME
  const path = `${FILES_PATH}/${encodeURIComponent(workspace.id)}/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  const signature = signatureOf(workspace, id, expires)
  return {
    url: `${workspace.registry.publicUrl}${path}?expires=${String(expires / 1000)}&signature=${signature}`,
    until,
  }
}

/** Whether a link to the file was given out for that instant, in s since the epoch. */
export function isSigned(workspace: Workspace, id: string, expires: number, signature: string): boolean {
  const sent = Buffer.from(signature)
  const right = Buffer.from(signatureOf(workspace, id, expires * 1000))
  return sent.length === right.length && timingSafeEqual(sent, right)
}

const signatureOf = (
  { id: workspace, registry: { secret } }: Workspace,
  file: string,
  expires: number,
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['file', workspace, file, expires]))
    .digest('base64url')
