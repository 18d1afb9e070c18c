/** Wire shapes of the current content of a screen, for the control plane and the player. Not in the specification. */
import { Type } from '@sinclair/typebox'
import { Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { screenMachine } from '../../../state/signage/machines.ts'
import { ACTIONS } from '../../../state/signage/tables.ts'
import { Resolution } from './common.ts'
import { zoneFields } from './layouts.ts'
import { Item, playlistFields } from './playlists.ts'
import { Rule } from './schedules.ts'

const ItemNow = named(
  'ItemNow',
  Type.Object({
    ...Item.properties,
    url: Type.String({ format: 'uri', description: 'The link to the file. It expires.' }),
  }),
)

const PlaylistNow = named(
  'PlaylistNow',
  Type.Object({
    ...playlistFields,
    /** Replaces the items of `playlistFields`, which have no `url`. */
    items: Type.Array(ItemNow, { description: 'Sorted by position.' }),
    shuffle: Type.Boolean(),
  }),
)

const MediaNow = named(
  'MediaNow',
  Type.Object({
    ...Type.Pick(Item, ['media_id', 'media_name', 'media_type']).properties,
    url: ItemNow.properties.url,
  }),
)

const ZoneNow = named(
  'ZoneNow',
  Type.Object({
    ...zoneFields,
    playlist: Nullable(PlaylistNow),
    media: Nullable(MediaNow),
  }),
)

const LayoutNow = named(
  'LayoutNow',
  Type.Object({
    id: Id('lay_'),
    name: Type.String(),
    resolution: Resolution(),
    zones: Type.Array(ZoneNow, { description: 'Later zones cover earlier ones.' }),
  }),
)

export const ScreenNow = named(
  'ScreenNow',
  Type.Object({
    screen_id: Id('scr_'),
    status: OneOf(screenMachine.states),
    at: Instant({ description: 'The time of the workspace at which the response is valid.' }),
    timezone: Type.String({ examples: ['America/Panama'] }),
    local_time: Type.String({
      description: 'The local time in this time zone, by which rules apply.',
      examples: ['2026-11-21T07:00:00'],
    }),
    schedule: Nullable(Type.Object({ id: Id('sched_'), name: Type.String(), priority: Type.Integer() })),
    rule: Nullable(Rule),
    playlist: Nullable(PlaylistNow),
    layout: Nullable(LayoutNow),
    changes_at: Nullable(
      Instant({ description: 'When the content changes. null if it does not change within a week.' }),
    ),
    pending_actions: Type.Array(
      Type.Object({ action_id: Id('act_'), action: OneOf(ACTIONS), requested_at: Instant() }),
      { description: 'The queued actions of the device, oldest first.' },
    ),
  }),
)

export const ScreenNowParams = Type.Object({ screen_id: Id('scr_', { examples: [demoId('scr_')] }) })
