/** The addresses of the player and of media files. */
import { fileLink } from '../../http/files/fileLinks.ts'
import type { Media } from '../../state/signage/mediaRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** The path of the player pages. */
export const PAGES_PATH = '/grid/player'

/** Returns the download link of a medium's file. */
export const fileUrlOf = (
  { fileId: id, fileName: name }: Pick<Media, 'fileId' | 'fileName'>,
  workspace: Workspace,
): string => fileLink(workspace, { id, name }).url
