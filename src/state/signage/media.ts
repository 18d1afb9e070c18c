/** Changes of media. Specification part 1, "Signage": a medium in use can only be deleted with `force`. */
import { refuse } from '../model/refusal.ts'
import { truncate } from '../text/truncate.ts'
import { removeFile, storeFiles } from '../shared/storedFiles.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { saveDeletedName } from './deletedNames.ts'
import { appendSignageEvent } from './events.ts'
import { layoutsWith, removeFromLayouts } from './layouts.ts'
import { media, type Media } from './mediaRecords.ts'
import { playlistsWith, removeFromPlaylists } from './playlists.ts'
import { mustBeUnused, NAMED_USERS } from './usage.ts'

export type MediaFields = Partial<Pick<Media, 'name' | 'folderId' | 'tags'>>

/** The properties that are read from the file of a medium. */
export type MediaProperties = Pick<Media, 'type' | 'mimeType' | 'width' | 'height' | 'durationMs'>

/** An uploaded file. It is moved from `path` to the file store. */
export interface IncomingMedia {
  readonly path: string
  /** The name that the client sent, or ''. */
  readonly filename: string
  readonly facts: MediaProperties
  /** The generation of the workspace when the upload started. */
  readonly generation: number
}

/** Stores the file and creates a medium for it. Refuses if the workspace was replaced during the upload. */
export const createMedia = (
  workspace: Workspace,
  { path, filename, facts, generation: generation }: IncomingMedia,
  { name = truncate(filename.trim(), LONGEST_NAME), ...fields }: MediaFields,
): Promise<Media> => {
  const fileName = filename.trim() || 'medium'
  const incoming = { name: fileName, contentType: facts.mimeType, source: path }
  return storeFiles(workspace, [incoming], ([file]) => {
    if (workspace.generation !== generation)
      refuse('conflict', 'The workspace was replaced or removed during the upload. Upload the file again.')
    if (!file) throw new Error('no file was stored')
    const now = workspace.now()
    const medium = media.insert(workspace, {
      tags: [],
      ...fields,
      ...facts,
      id: workspace.ids.prefixed('med_'),
      name: name || fileName,
      fileId: file.id,
      fileName: file.name,
      fileSize: file.size,
      createdAt: now,
      updatedAt: now,
    })
    appendSignageEvent(workspace, 'media.created', medium)
    return medium
  })
}

/** The maximum length of the name of a medium, in characters. */
const LONGEST_NAME = 200

/** Changes the given fields. Without a change, does nothing. */
export function updateMedia(workspace: Workspace, medium: Media, fields: MediaFields): Media {
  if (!media.isChange(medium, fields)) return medium
  return workspace.write(() => {
    const updated = media.update(workspace, medium, { ...fields, updatedAt: workspace.now() })
    appendSignageEvent(workspace, 'media.updated', updated)
    return updated
  })
}

/** The number of playlists, and of layouts, from which one write removes a medium. */
const MAX_AT_ONCE = 50

/**
 * Deletes a medium; `byForce` removes it from playlists and layouts first. Its playbacks stay. Many uses are removed in
 * slices while other requests to the workspace wait; the promise then resolves after the deletion. Returns null if it is
 * already done.
 */
export function deleteMedia(
  workspace: Workspace,
  { id, name, fileId }: Media,
  byForce: boolean,
): Promise<void> | null {
  if (!byForce) {
    const users = { mediaId: id, limit: NAMED_USERS }
    mustBeUnused('medium', {
      playlists: playlistsWith.all(workspace, users),
      layouts: layoutsWith.all(workspace, users),
    })
  }
  return workspace.writeInSlices(() => {
    const playlists = removeFromPlaylists(workspace, id, MAX_AT_ONCE)
    const layouts = removeFromLayouts(workspace, id, MAX_AT_ONCE)
    if (Math.max(playlists, layouts) === MAX_AT_ONCE) return false
    media.remove(workspace, id)
    saveDeletedName(workspace, { id, name })
    removeFile(workspace, fileId)
    appendSignageEvent(workspace, 'media.deleted', { id, name })
    return true
  })
}
