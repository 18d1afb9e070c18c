/** Playlists. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import type { Rendering } from '../../http/shapes/renderings.ts'
import { everyCallerIn, cachedResponse } from '../../http/lists/responseCache.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { PlaylistDetails } from '../../state/signage/details.ts'
import {
  createPlaylist,
  deletePlaylist,
  findPlaylist,
  playlists as playlistRecords,
  findPlaylistDetails,
  updatePlaylist,
  type PlaylistFields,
} from '../../state/signage/playlists.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import { inMs } from './schemas/common.ts'
import { Playlist, PlaylistCreate, PlaylistId, PlaylistQuery, PlaylistUpdate } from './schemas/playlists.ts'
import { playlistView } from './views.ts'

/** Renders playlists. The result depends on media and schedules, so it is not cached per record. */
const playlistText: Rendering<PlaylistDetails> = {
  one: (_workspace, playlist) => JSON.stringify(playlistView(playlist)),
  many: (workspace, heads) =>
    findPlaylistDetails(
      workspace,
      heads.map(({ id }) => id),
    )
      .map((playlist) => playlistText.one(workspace, playlist))
      .join(','),
}

const playlistOperation = operationsOf({ tag: 'Playlists' })

/** The read scope is derived from grid:playlists:write, which the specification shows. */
const READ = 'grid:playlists:read'
const WRITE = 'grid:playlists:write'

export const playlists: Resource = async (app) => {
  app.get(
    '/playlists',
    {
      schema: { querystring: PlaylistQuery },
      config: playlistOperation({
        id: 'listPlaylists',
        summary: 'List playlists',
        scope: READ,
        fidelity: documentedBut(
          'Assumed: the scope, derived from the write scope. The newest playlist comes first. screen_id matches playlists that an active schedule shows on the screen.',
        ),
        names: { screen_id: screens },
        answers: { 200: PageOf(Playlist) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, ...filters } = query
      return numberedPage(
        'signage playlists',
        playlistRecords.list,
        playlistText,
        everyCallerIn(workspace),
        { page, perPage, sort: 'created_at', order: 'desc' },
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/playlists',
    {
      schema: { body: PlaylistCreate },
      config: playlistOperation({
        id: 'createPlaylist',
        summary: 'Create a playlist',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: name is required. An image requires a duration. A video without a duration plays to its end.',
        ),
        answers: { 201: Playlist },
      }),
    },
    ({ body, workspace }, reply) => {
      const { name, shuffle = false } = body
      const playlist = createPlaylist(workspace, { ...fromWire(body), name, shuffle })
      reply.code(201)
      return playlistText.one(workspace, playlist)
    },
  )

  app.get(
    '/playlists/:playlist_id',
    {
      schema: { params: PlaylistId },
      config: playlistOperation({
        id: 'getPlaylist',
        summary: 'Get a playlist',
        scope: READ,
        fidelity: documentedBut(
          'Assumed: the scope, derived from the write scope. The response has no envelope.',
        ),
        answers: { 200: Playlist },
      }),
    },
    ({ params, workspace }) =>
      cachedResponse(everyCallerIn(workspace), `playlist ${params.playlist_id}`, () =>
        playlistText.one(workspace, findPlaylist(workspace, params.playlist_id)),
      ),
  )

  app.patch(
    '/playlists/:playlist_id',
    {
      preValidation: mustExist,
      schema: { params: PlaylistId, body: PlaylistUpdate },
      config: playlistOperation({
        id: 'updatePlaylist',
        summary: 'Update a playlist',
        description: 'Changes only the fields in the request body. items replaces all items of the playlist.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the creation and the body. An update without fields changes nothing.',
        ),
        answers: { 200: Playlist },
      }),
    },
    ({ params, body, workspace }) =>
      playlistText.one(
        workspace,
        updatePlaylist(workspace, findPlaylist(workspace, params.playlist_id), fromWire(body)),
      ),
  )

  app.delete(
    '/playlists/:playlist_id',
    {
      schema: { params: PlaylistId },
      config: playlistOperation({
        id: 'deletePlaylist',
        summary: 'Delete a playlist',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the creation. Returns 409 when a layout or a schedule uses the playlist, as for a medium in use. The playbacks of the playlist stay.',
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

type Sent = Static<typeof PlaylistUpdate>

function fromWire({ name, items, playback_mode: playbackMode }: Sent): PlaylistFields {
  return {
    ...(name !== undefined && { name }),
    ...(playbackMode !== undefined && { playbackMode }),
    ...(items !== undefined && {
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
