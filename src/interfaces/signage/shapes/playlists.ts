/** Playlists on the wire. Specification part 1, "Playlist (signage)". */
import { Type, type Static } from '@sinclair/typebox'
import { Assumed, assumedValues, named, Nullable } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { madeFrom, shape, valueOf } from '../../../http/shapes/shape.ts'
import {
  countScreens,
  displayDuration,
  itemsOf,
  totalDuration,
  type Item as ItemRow,
} from '../../../state/signage/playlists.ts'
import { media, playlistItems, playlists } from '../../../state/signage/tables.ts'
import { nameField, Search, seconds } from './common.ts'

/** The maximum number of items in a playlist (assumed). */
const MAX_ITEMS = 200

const SentItem = Type.Object({
  media_id: Id('med_'),
  duration: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0.1,
        maximum: 86_400,
        description: 'In seconds. Required for an image. A video without it plays to its end.',
        examples: [10],
      }),
    ),
  ),
  transition: Type.Optional(valueOf(playlistItems.transition, { description: 'Default: fade (assumed).' })),
  transition_duration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      description: 'In seconds. Default: 0 for a cut, otherwise 0.5 (assumed).',
      examples: [0.5],
    }),
  ),
})

export const Item = named(
  'PlaylistItem',
  Type.Object({
    id: Id('item_'),
    media_id: Id('med_'),
    media_name: Type.String({ examples: ['Standing desk'] }),
    media_type: valueOf(media.type),
    duration: Nullable(
      Type.Number({
        description: 'In seconds. For a video without a duration, the length of the video; null if unknown.',
        examples: [10],
      }),
    ),
    transition: valueOf(playlistItems.transition),
    transition_duration: Type.Number({ description: 'In seconds.', examples: [0.5] }),
    position: Type.Integer({ minimum: 1 }),
  }),
)

export function itemView(item: ItemRow): Static<typeof Item> {
  const duration = displayDuration(item)
  return {
    id: item.id,
    media_id: item.mediaId,
    media_name: item.mediaName,
    media_type: item.mediaType,
    duration: duration === null ? null : seconds(duration),
    transition: item.transition,
    transition_duration: seconds(item.transitionMs),
    position: item.position,
  }
}

export const itemsOfEach = lookupBy(playlists.id, itemsOf.ofEach)

export const Playlist = shape({ item: 'Playlist', update: 'PlaylistUpdate' }, playlists, {
  fields: () => ({
    id: { schema: Id('plist_') },
    name: { ...nameField('Welcome'), sent: 'both', required: true },
    items: {
      ...madeFrom(Type.Array(Item, { description: 'Sorted by position.' }), itemsOfEach, (items = []) =>
        items.map(itemView),
      ),
      sent: 'both',
      body: Type.Array(SentItem, {
        maxItems: MAX_ITEMS,
        description: `In playing order, at most ${String(MAX_ITEMS)} (assumed).`,
        examples: [
          [{ media_id: demoId('med_'), duration: 10, transition: 'fade', transition_duration: 0.5 }],
        ],
      }),
    },
    playback_mode: {
      sent: 'both',
      words: {
        ...assumedValues(
          'The specification shows only loop. The value once is assumed: it plays the items once, and the last item stays.',
          'once',
        ),
        description: 'Default: loop (assumed).',
      },
    },
    total_duration: madeFrom(
      Type.Integer({ minimum: 0, description: 'The duration of all items in seconds, rounded.' }),
      itemsOfEach,
      (items = []) => Math.round(seconds(totalDuration(items))),
    ),
    screens_count: madeFrom(
      Type.Integer({
        minimum: 0,
        description:
          'The number of screens on which an active schedule shows the playlist, directly or in a layout (assumed).',
      }),
      lookupBy(playlists.id, countScreens),
      (count = 0) => count,
    ),
    created_at: {},
    updated_at: {},
  }),
  update: Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new playlist, all optional, except shuffle, which the specification limits to the creation. items replaces all items.',
    {},
  ),
})

export const PlaylistCreate = shape({ create: 'PlaylistCreate' }, playlists, {
  fields() {
    const { name, items, playback_mode } = Playlist.fields()
    return {
      name,
      items,
      playback_mode,
      shuffle: {
        sent: 'create',
        words: { description: 'Plays the items in a new random order each time. Default: false (assumed).' },
      },
    }
  },
})

/** The example is an unused demo playlist, so that the example of DELETE works. */
export const PlaylistId = Type.Object({ playlist_id: Id('plist_', { examples: [demoId('plist_', 4)] }) })

export const PlaylistQuery = Type.Object({
  ...pageQuery,
  search: Search(),
  screen_id: Type.Optional(
    Id('scr_', { description: 'Matches playlists that an active schedule shows on this screen (assumed).' }),
  ),
})
