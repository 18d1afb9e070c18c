/** Playlists. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import {
  createPlaylist,
  deletePlaylist,
  playlists as playlistRecords,
  updatePlaylist,
  type PlaylistFields,
} from '../../state/signage/playlists.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { inMs } from './shapes/common.ts'
import { Playlist, PlaylistCreate, PlaylistId, PlaylistQuery } from './shapes/playlists.ts'

const collection = numberedCollection({
  records: playlistRecords,
  rendering: Playlist.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const OnePlaylist = Assumed(
  'The specification does not show the response; the simulator returns the playlist without an envelope, with the fields of the list.',
  Playlist.item,
)

const WRITE = 'grid:playlists:write'

export const playlists: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Playlists' })
  const list = at('/playlists')
  const item = at('/playlists/:playlist_id', { params: PlaylistId, record: playlistRecords })

  list.get({
    id: 'listPlaylists',
    order: collection.order,
    summary: 'List playlists',
    fidelity: documentedBut(
      'Assumed: the newest playlist comes first. screen_id matches playlists that an active schedule shows on the screen.',
    ),
    names: { screen_id: screens },
    query: PlaylistQuery,
    answers: { 200: PageOf(Playlist.item) },
    run: ({ query: { search, screen_id, ...query }, caller }) =>
      collection.page(caller, query, { search, screen_id }),
  })

  list.post({
    id: 'createPlaylist',
    summary: 'Create a playlist',
    scope: WRITE,
    fidelity: documentedBut(
      'Assumed: name is required. An image requires a duration. A video without a duration plays to its end.',
    ),
    body: PlaylistCreate.create,
    answers: { 201: OnePlaylist },
    run({ body, workspace }) {
      const playlist = createPlaylist(workspace, { ...fieldsOf(workspace, body), name: body.name })
      return collection.text(workspace, playlist)
    },
  })

  item.get({
    id: 'getPlaylist',
    summary: 'Get a playlist',
    fidelity: documented,
    answers: { 200: OnePlaylist },
    run: ({ params, workspace }) => collection.get(workspace, params.playlist_id),
  })

  item.patch({
    id: 'updatePlaylist',
    summary: 'Update a playlist',
    description: 'Changes only the fields in the request body. items replaces all items of the playlist.',
    fidelity: documentedBut(
      'Assumed: an update that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Playlist.update,
    answers: { 200: OnePlaylist },
    run: ({ record: playlist, body, workspace }) =>
      collection.text(workspace, updatePlaylist(workspace, playlist, fieldsOf(workspace, body))),
  })

  item.delete({
    id: 'deletePlaylist',
    summary: 'Delete a playlist',
    fidelity: documentedBut(
      'Assumed: returns 409 when a layout or a schedule uses the playlist, as for a medium in use. The playbacks of the playlist stay.',
    ),
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run: ({ record, workspace }) => {
      deletePlaylist(workspace, record)
    },
  })
}

/** Converts the body of a creation or an update. Validation has dropped `shuffle` from an update. */
function fieldsOf(workspace: Workspace, body: Static<typeof Playlist.update>): PlaylistFields {
  const { items } = body
  return {
    ...PlaylistCreate.parse(workspace, body),
    ...(items && {
      items: items.map(
        ({ media_id: mediaId, duration = null, transition, transition_duration: transitionSeconds }) => ({
          mediaId,
          durationMs: duration === null ? null : inMs(duration),
          ...(transition !== undefined && { transition }),
          ...(transitionSeconds !== undefined && { transitionMs: inMs(transitionSeconds) }),
        }),
      ),
    }),
  }
}
