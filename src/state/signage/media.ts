/** What can be done to media. Specification part 1, "Signage": one that is used is only deleted by force. */
import { refuse } from '../refusal.ts'
import { removeFile, storing } from '../storedFiles.ts'
import type { Workspace } from '../workspace.ts'
import { keepName } from './deletedNames.ts'
import { appendSignageEvent } from './events.ts'
import type { Media } from './inFull.ts'
import { layoutsWith, takeOutOfLayouts } from './layouts.ts'
import { media } from './mediaRecords.ts'
import { playlistsWith, takeOutOfPlaylists } from './playlists.ts'
import { mustBeUnused, NAMED_USERS } from './usage.ts'

export interface MediaFields {
  readonly name?: string
  readonly folderId?: string | null
  readonly tags?: readonly string[]
}

/** What the file of a medium tells of it. */
export type MediaFacts = Pick<Media, 'type' | 'mimeType' | 'width' | 'height' | 'durationMs'>

/** A file that has come in, at a path from which it is taken over. */
export interface IncomingMedia {
  readonly path: string
  /** As it was called where it came from; '' where nothing was said. */
  readonly filename: string
  readonly facts: MediaFacts
  /** That of the workspace when the file began to come in. */
  readonly era: number
}

/** Keeps the file, and a medium of it. */
export const createMedia = (
  workspace: Workspace,
  { path, filename, facts, era }: IncomingMedia,
  { name = filename.trim().slice(0, LONGEST_NAME), folderId = null, tags = [] }: MediaFields,
): Promise<Media> => {
  const fileName = filename.trim().slice(0, 255) || 'medium'
  const incoming = { name: fileName, contentType: facts.mimeType, source: path }
  return storing(workspace, [incoming], ([file]) => {
    if (workspace.generation !== era)
      refuse('conflict', 'The workspace was replaced or removed while the file came in.')
    if (!file) throw new Error('no file was kept')
    const now = workspace.now()
    const medium = media.insert(workspace, {
      ...facts,
      id: workspace.ids.prefixed('med_'),
      name: name || fileName,
      fileId: file.id,
      fileName: file.name,
      fileSize: file.size,
      folderId,
      tags,
      createdAt: now,
      updatedAt: now,
    })
    appendSignageEvent(workspace, 'media.created', medium)
    return medium
  })
}

/** Characters that the name of a medium may have. */
const LONGEST_NAME = 200

/** Changes the fields that were sent; nothing at all when none was. */
export function updateMedia(workspace: Workspace, medium: Media, fields: MediaFields): Media {
  if (Object.keys(fields).length === 0) return medium
  return workspace.write(() => {
    const updated = media.update(workspace, medium, { ...fields, updatedAt: workspace.now() })
    appendSignageEvent(workspace, 'media.updated', updated)
    return updated
  })
}

/** Playlists, and layouts, that a medium is taken out of in one write. */
const MAX_AT_ONCE = 50

/**
 * By force it is taken out of playlists and layouts first. What was recorded of it stays. Where these are very many it is
 * taken out in slices, while all who come to the workspace wait: then it resolves when the medium is gone. Null says that
 * it is already.
 */
export function deleteMedia(
  workspace: Workspace,
  { id, name, fileId }: Media,
  byForce: boolean,
): Promise<void> | null {
  if (!byForce) {
    const some = { mediaId: id, limit: NAMED_USERS }
    mustBeUnused('medium', {
      playlists: playlistsWith.all(workspace, some),
      layouts: layoutsWith.all(workspace, some),
    })
  }
  return workspace.writeInSlices(() => {
    const playlists = takeOutOfPlaylists(workspace, id, MAX_AT_ONCE)
    const layouts = takeOutOfLayouts(workspace, id, MAX_AT_ONCE)
    if (Math.max(playlists, layouts) === MAX_AT_ONCE) return false
    media.remove(workspace, id)
    keepName(workspace, { id, name })
    removeFile(workspace, fileId)
    appendSignageEvent(workspace, 'media.deleted', { id, name })
    return true
  })
}
