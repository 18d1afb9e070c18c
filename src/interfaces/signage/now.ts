/** The current content of a screen, for the control plane and the player. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import { pendingActionsOf } from '../../state/signage/actions.ts'
import type { LayoutDetails, Media, PlaylistDetails } from '../../state/signage/details.ts'
import { findLayout } from '../../state/signage/layouts.ts'
import { media } from '../../state/signage/mediaRecords.ts'
import { programmeOf } from '../../state/signage/playing.ts'
import { findPlaylist } from '../../state/signage/playlists.ts'
import { schedules } from '../../state/signage/schedules.ts'
import type { Screen } from '../../state/signage/screenRecords.ts'
import { wallAt } from '../../state/model/wallTime.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ScreenNow } from './schemas/now.ts'
import { fileUrlOf, itemView, playlistView, ruleView, zoneView } from './views.ts'

type Now = Static<typeof ScreenNow>
type PlaylistNow = NonNullable<Now['playlist']>

export function screenNowView(workspace: Workspace, screen: Screen): Now {
  const { playing, changesAt } = programmeOf(workspace, screen)
  const schedule = playing && schedules.get(workspace, playing.scheduleId)
  const now = workspace.now()
  const { timezone } = workspace
  return {
    screen_id: screen.id,
    status: screen.status,
    at: iso(now),
    timezone,
    local_time: iso(wallAt(now, timezone)).slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    schedule: schedule ? { id: schedule.id, name: schedule.name, priority: schedule.priority } : null,
    rule: playing ? ruleView(playing) : null,
    playlist: playing?.playlistId
      ? playlistNow(workspace, findPlaylist(workspace, playing.playlistId))
      : null,
    layout: playing?.layoutId ? layoutNow(workspace, findLayout(workspace, playing.layoutId)) : null,
    changes_at: isoOrNull(changesAt),
    pending_actions: pendingActionsOf(workspace, screen.id).map(({ id, action, requestedAt }) => ({
      action_id: id,
      action,
      requested_at: iso(requestedAt),
    })),
  }
}

function playlistNow(workspace: Workspace, playlist: PlaylistDetails): PlaylistNow {
  const { id, name, playback_mode, total_duration } = playlistView(playlist)
  const found = mediaOf(
    workspace,
    playlist.items.map(({ mediaId }) => mediaId),
  )
  return {
    id,
    name,
    items: playlist.items.map((item) => ({ ...itemView(item), url: urlOf(workspace, found, item.mediaId) })),
    playback_mode,
    shuffle: playlist.shuffle,
    total_duration,
  }
}

function layoutNow(workspace: Workspace, layout: LayoutDetails): NonNullable<Now['layout']> {
  const found = mediaOf(
    workspace,
    layout.zones.flatMap(({ mediaId }) => mediaId ?? []),
  )
  return {
    id: layout.id,
    name: layout.name,
    resolution: layout.resolution,
    zones: layout.zones.map((zone) => {
      const medium = zone.mediaId === null ? undefined : found.get(zone.mediaId)
      return {
        ...zoneView(zone),
        playlist: zone.playlistId ? playlistNow(workspace, findPlaylist(workspace, zone.playlistId)) : null,
        media: medium
          ? {
              media_id: medium.id,
              media_name: medium.name,
              media_type: medium.type,
              url: fileUrlOf(medium, workspace),
            }
          : null,
      }
    }),
  }
}

const mediaOf = (workspace: Workspace, ids: readonly string[]): ReadonlyMap<string, Media> =>
  new Map(media.findAll(workspace, ids).map((medium) => [medium.id, medium]))

function urlOf(workspace: Workspace, found: ReadonlyMap<string, Media>, id: string): string {
  const medium = found.get(id)
  return medium ? fileUrlOf(medium, workspace) : ''
}
