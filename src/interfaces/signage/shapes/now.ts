/** The current content of a screen on the wire, for the control plane and the player. Not in the specification. */
import { Type, type Static } from '@sinclair/typebox'
import { Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { made, madeFrom, shape, valueOf } from '../../../http/shapes/shape.ts'
import { screenMachine } from '../../../state/signage/machines.ts'
import { media, type Media } from '../../../state/signage/mediaRecords.ts'
import { playlists } from '../../../state/signage/playlists.ts'
import { actions, layouts, layoutZones, playlists as playlistTable } from '../../../state/signage/tables.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { fileUrlOf } from '../addresses.ts'
import { Layout, Zone, zonesOfEach } from './layouts.ts'
import { Item, itemsOfEach, itemView, Playlist } from './playlists.ts'
import { Rule } from './schedules.ts'

const ItemNow = named(
  'ItemNow',
  Type.Object({
    ...Item.properties,
    url: Type.String({ format: 'uri', description: 'The link to the file. It expires.' }),
  }),
)

const PlaylistNow = shape({ item: 'PlaylistNow' }, playlistTable, {
  fields() {
    const { id, name, playback_mode, total_duration } = Playlist.fields()
    return {
      id,
      name,
      items: madeFrom(
        Type.Array(ItemNow, { description: 'Sorted by position.' }),
        itemsOfEach,
        (items = [], workspace) =>
          items.map((item) => ({ ...itemView(item), url: fileUrlOf(item, workspace) })),
      ),
      playback_mode,
      shuffle: {},
      total_duration,
    }
  },
})

/** Returns the playlist as it plays now; null for null. */
export const playlistNow = (workspace: Workspace, id: string | null) =>
  id === null ? null : PlaylistNow.view(playlists.get(workspace, id), workspace)

const MediaNow = named(
  'MediaNow',
  Type.Object({
    ...Type.Pick(Item, ['media_id', 'media_name', 'media_type']).properties,
    url: ItemNow.properties.url,
  }),
)

const mediumNow = (medium: Media, workspace: Workspace): Static<typeof MediaNow> => ({
  media_id: medium.id,
  media_name: medium.name,
  media_type: medium.type,
  url: fileUrlOf(medium, workspace),
})

const ZoneNow = shape({ item: 'ZoneNow' }, layoutZones, {
  fields: () => ({
    ...Zone.fields(),
    playlist: made(Nullable(PlaylistNow.item), [layoutZones.playlistId], ([id], workspace) =>
      playlistNow(workspace, id),
    ),
    media: made(Nullable(MediaNow), [layoutZones.mediaId], ([id], workspace) =>
      id === null ? null : mediumNow(media.get(workspace, id), workspace),
    ),
  }),
})

export const LayoutNow = shape({ item: 'LayoutNow' }, layouts, {
  fields() {
    const { id, resolution } = Layout.fields()
    return {
      id,
      name: {},
      resolution,
      zones: madeFrom(
        Type.Array(ZoneNow.item, { description: 'Later zones cover earlier ones.' }),
        zonesOfEach,
        (zones = [], workspace) => ZoneNow.views(zones, workspace),
      ),
    }
  },
})

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
    rule: Nullable(Rule.item),
    playlist: Nullable(PlaylistNow.item),
    layout: Nullable(LayoutNow.item),
    changes_at: Nullable(
      Instant({ description: 'When the content changes. null if it does not change within a week.' }),
    ),
    pending_actions: Type.Array(
      Type.Object({ action_id: Id('act_'), action: valueOf(actions.action), requested_at: Instant() }),
      { description: 'The queued actions of the device, oldest first.' },
    ),
  }),
)

export const ScreenNowParams = Type.Object({ screen_id: Id('scr_', { examples: [demoId('scr_')] }) })
