/** Wire shapes of playlists. Specification part 1, "Playlist (signage)". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { MEDIA_TYPES, PLAYBACK_MODES, TRANSITIONS } from '../../../state/signage/tables.ts'
import { Name, Search } from './common.ts'

const name = Name('Welcome')

/** The maximum number of items in a playlist (assumed). */
export const MAX_ITEMS = 200

const duration = Type.Number({
  minimum: 0.1,
  maximum: 86_400,
  description: 'In seconds. Required for an image. A video without it plays to its end.',
  examples: [10],
})

const SentItem = Type.Object({
  media_id: Id('med_'),
  duration: Type.Optional(Nullable(duration)),
  transition: Type.Optional(OneOf(TRANSITIONS, { description: 'Default: fade (assumed).' })),
  transition_duration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      description: 'In seconds. Default: 0 for a cut, otherwise 0.5 (assumed).',
      examples: [0.5],
    }),
  ),
})

const items = Type.Array(SentItem, {
  maxItems: MAX_ITEMS,
  description: `In playing order, at most ${String(MAX_ITEMS)} (assumed).`,
  examples: [[{ media_id: demoId('med_'), duration: 10, transition: 'fade', transition_duration: 0.5 }]],
})

const playbackMode = Assumed(
  'The specification shows only loop. The value once is assumed: it plays the items once, and the last item stays.',
  OneOf(PLAYBACK_MODES, { description: 'Default: loop.' }),
)

export const PlaylistCreate = named(
  'PlaylistCreate',
  Type.Object({
    name,
    items: Type.Optional(items),
    playback_mode: Type.Optional(playbackMode),
    shuffle: Type.Optional(
      Type.Boolean({
        description: 'Plays the items in a new random order each time. Default: false.',
      }),
    ),
  }),
)

export const PlaylistUpdate = named(
  'PlaylistUpdate',
  Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new playlist, all optional, except shuffle, which the specification limits to the creation. items replaces all items.',
    Type.Partial(Type.Object({ name, items, playback_mode: playbackMode })),
  ),
)

export const Item = named(
  'PlaylistItem',
  Type.Object({
    id: Id('item_'),
    media_id: Id('med_'),
    media_name: Type.String({ examples: ['Standing desk'] }),
    media_type: OneOf(MEDIA_TYPES),
    duration: Nullable(
      Type.Number({
        description: 'In seconds. For a video without a duration, the length of the video; null if unknown.',
        examples: [10],
      }),
    ),
    transition: OneOf(TRANSITIONS),
    transition_duration: Type.Number({ description: 'In seconds.', examples: [0.5] }),
    position: Type.Integer({ minimum: 1 }),
  }),
)

export const playlistFields = {
  id: Id('plist_'),
  name,
  items: Type.Array(Item, { description: 'Sorted by position.' }),
  playback_mode: playbackMode,
  total_duration: Type.Integer({ minimum: 0, description: 'The duration of all items in seconds, rounded.' }),
}

export const Playlist = named(
  'Playlist',
  Type.Object({
    ...playlistFields,
    screens_count: Type.Integer({
      minimum: 0,
      description:
        'The number of screens on which an active schedule shows the playlist, directly or in a layout (assumed).',
    }),
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

/** The example is an unused demo playlist, so that the example of DELETE works. */
export const PlaylistId = Type.Object({ playlist_id: Id('plist_', { examples: [demoId('plist_', 4)] }) })

export const PlaylistQuery = Type.Object({
  ...pageQuery,
  search: Search(),
  screen_id: Type.Optional(
    Id('scr_', { description: 'Matches playlists that an active schedule shows on this screen (assumed).' }),
  ),
})
