/** Wire shapes of playlists. Specification part 1, "Playlist (signage)". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/wireShapes.ts'
import { MEDIA_TYPES, PLAYBACK_MODES, TRANSITIONS } from '../../../state/signage/tables.ts'
import { Name, Search } from './common.ts'

const name = Name('Welcome')

/** Items that a playlist may have (assumed). */
export const MAX_ITEMS = 200

const duration = Type.Number({
  minimum: 0.1,
  maximum: 86_400,
  description: 'Seconds; needed for an image, while a video without it is played to its end.',
  examples: [10],
})

const SentItem = Type.Object({
  media_id: Id('med_'),
  duration: Type.Optional(Nullable(duration)),
  transition: Type.Optional(OneOf(TRANSITIONS, { description: 'fade unless it is said (assumed).' })),
  transition_duration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      description: 'Seconds; 0.5, and 0 for a cut, unless it is said (assumed).',
      examples: [0.5],
    }),
  ),
})

const items = Type.Array(SentItem, {
  maxItems: MAX_ITEMS,
  description: `In their order, at most ${String(MAX_ITEMS)} (assumed).`,
  examples: [[{ media_id: demoId('med_'), duration: 10, transition: 'fade', transition_duration: 0.5 }]],
})

const playbackMode = Assumed(
  'loop is the value shown; once, after which the last item stays, is assumed.',
  OneOf(PLAYBACK_MODES, { description: 'loop unless it is said.' }),
)

export const PlaylistCreate = named(
  'PlaylistCreate',
  Type.Object({
    name,
    items: Type.Optional(items),
    playback_mode: Type.Optional(playbackMode),
    shuffle: Type.Optional(
      Type.Boolean({
        description: 'Whether its items come in another order each time; false unless it is said.',
      }),
    ),
  }),
)

export const PlaylistUpdate = named(
  'PlaylistUpdate',
  Assumed(
    'The specification shows no body of the update: the fields of a new playlist but for shuffle, which is said to be of the creation only, each optional; items take the place of all there were.',
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
        description: 'Seconds; of a video without it the length of the video, null where that is not known.',
        examples: [10],
      }),
    ),
    transition: OneOf(TRANSITIONS),
    transition_duration: Type.Number({ description: 'Seconds.', examples: [0.5] }),
    position: Type.Integer({ minimum: 1 }),
  }),
)

export const playlistFields = {
  id: Id('plist_'),
  name,
  items: Type.Array(Item, { description: 'In the order of their positions.' }),
  playback_mode: playbackMode,
  total_duration: Type.Integer({ minimum: 0, description: 'Seconds that all of it takes, rounded.' }),
}

export const Playlist = named(
  'Playlist',
  Type.Object({
    ...playlistFields,
    screens_count: Type.Integer({
      minimum: 0,
      description: 'Screens for which an active schedule has it, by itself or in a layout (assumed).',
    }),
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

/** The example is one that nothing uses, so that it can be deleted. */
export const PlaylistId = Type.Object({ playlist_id: Id('plist_', { examples: [demoId('plist_', 4)] }) })

export const PlaylistQuery = Type.Object({
  ...pageQuery,
  search: Search(),
  screen_id: Type.Optional(
    Id('scr_', { description: 'Playlists that an active schedule has for this screen (assumed).' }),
  ),
})
