/** Playlists. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
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
  rendering: Playlist.rendering(playlistRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const playlistOperation = operationsOf({ tag: 'Playlists' })

const OnePlaylist = Assumed(
  'The specification does not show the response; the simulator returns the playlist without an envelope, with the fields of the list.',
  Playlist.item,
)

const WRITE = 'grid:playlists:write'

export const playlists: Resource = async (app) => {
  app.get(
    '/playlists',
    {
      schema: { querystring: PlaylistQuery },
      config: playlistOperation({
        id: 'listPlaylists',
        order: collection.order,
        summary: 'List playlists',
        fidelity: documentedBut(
          'Assumed: the newest playlist comes first. screen_id matches playlists that an active schedule shows on the screen.',
        ),
        names: { screen_id: screens },
        answers: { 200: PageOf(Playlist.item) },
      }),
    },
    ({ query: { search, screen_id, ...query }, caller }) =>
      collection.page(caller, query, { search, screen_id }),
  )

  app.post(
    '/playlists',
    {
      schema: { body: PlaylistCreate.create },
      config: playlistOperation({
        id: 'createPlaylist',
        summary: 'Create a playlist',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: name is required. An image requires a duration. A video without a duration plays to its end.',
        ),
        answers: { 201: OnePlaylist },
      }),
    },
    ({ body, workspace }, reply) => {
      const playlist = createPlaylist(workspace, { ...fieldsOf(workspace, body), name: body.name })
      reply.code(201)
      return collection.text(workspace, playlist)
    },
  )

  app.get(
    '/playlists/:playlist_id',
    {
      schema: { params: PlaylistId },
      config: playlistOperation({
        id: 'getPlaylist',
        summary: 'Get a playlist',
        fidelity: documented,
        answers: { 200: OnePlaylist },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.playlist_id),
  )

  app.patch(
    '/playlists/:playlist_id',
    {
      preValidation: mustExist,
      schema: { params: PlaylistId, body: Playlist.update },
      config: playlistOperation({
        id: 'updatePlaylist',
        summary: 'Update a playlist',
        description: 'Changes only the fields in the request body. items replaces all items of the playlist.',
        fidelity: documentedBut(
          'Assumed: an update that changes nothing keeps the time of the last change and sends no event.',
        ),
        answers: { 200: OnePlaylist },
      }),
    },
    ({ params, body, workspace }) => {
      const playlist = playlistRecords.get(workspace, params.playlist_id)
      return collection.text(workspace, updatePlaylist(workspace, playlist, fieldsOf(workspace, body)))
    },
  )

  app.delete(
    '/playlists/:playlist_id',
    {
      schema: { params: PlaylistId },
      config: playlistOperation({
        id: 'deletePlaylist',
        summary: 'Delete a playlist',
        fidelity: documentedBut(
          'Assumed: returns 409 when a layout or a schedule uses the playlist, as for a medium in use. The playbacks of the playlist stay.',
        ),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deletePlaylist(workspace, playlistRecords.get(workspace, params.playlist_id))
      noContent(reply)
    },
  )
}

/** Refuses an unknown playlist before the body is validated. */
const mustExist = checkFirst<{ playlist_id: string }>(({ workspace }, params) =>
  playlistRecords.getHead(workspace, params.playlist_id),
)

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
