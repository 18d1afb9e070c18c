/** Serializers of signage records and the path of the player. */
import type { Static } from '@sinclair/typebox'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { fileLink } from '../../http/files/fileLinks.ts'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import { lastActionsOf, type Action as ActionRow } from '../../state/signage/actions.ts'
import { screenIdsOf, type Group as GroupRow } from '../../state/signage/groups.ts'
import {
  displayDuration,
  type Item as ItemRow,
  type LayoutDetails,
  type Media as MediaRow,
  type PlaylistDetails,
  type Rule as RuleRow,
  type ScheduleDetails,
  type Zone,
} from '../../state/signage/details.ts'
import { currentPlaylistOf } from '../../state/signage/playing.ts'
import { totalDuration } from '../../state/signage/playlists.ts'
import { uptimeMsAt, type Screen as ScreenRow } from '../../state/signage/screenRecords.ts'
import { media } from '../../state/signage/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Group } from './schemas/groups.ts'
import type { Layout, zoneFields } from './schemas/layouts.ts'
import type { Media } from './schemas/media.ts'
import type { Item, Playlist } from './schemas/playlists.ts'
import type { Rule, Schedule } from './schemas/schedules.ts'
import type { Action, Screen, ScreenDetail } from './schemas/screens.ts'

/** The path of the player pages. */
export const PAGES_PATH = '/grid/player'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The start of the current minute, because the content of screens changes at full minutes. */
export const minuteOf = (workspace: Workspace): number => Math.floor(workspace.now() / MINUTE) * MINUTE
export const nextMinute = (workspace: Workspace): number => minuteOf(workspace) + MINUTE

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

export const screenView = (screen: ScreenRow, workspace: Workspace): Static<typeof Screen> => ({
  id: screen.id,
  name: screen.name,
  status: screen.status,
  orientation: screen.orientation,
  resolution: screen.resolution,
  current_playlist_id: currentPlaylistOf(workspace, screen),
  group_id: screen.groupId,
  last_sync: isoOrNull(screen.lastSync),
  uptime_hours: Math.floor(uptimeMsAt(screen, minuteOf(workspace)) / HOUR),
  created_at: iso(screen.createdAt),
  volume: screen.volume,
  brightness: screen.brightness,
  location: screen.location && { name: screen.location.name, address: screen.location.address },
})

export const actionView = (action: ActionRow): Static<typeof Action> => ({
  action_id: action.id,
  screen_id: action.screenId,
  action: action.action,
  reason: action.reason,
  status: action.status,
  error: action.error,
  result_url: action.resultUrl,
  requested_at: iso(action.requestedAt),
  finished_at: isoOrNull(action.finishedAt),
})

export const screenDetailView = (screen: ScreenRow, workspace: Workspace): Static<typeof ScreenDetail> => ({
  ...screenView(screen, workspace),
  actions: lastActionsOf(workspace, screen.id).map(actionView),
})

/** Returns the download link of a medium's file. */
export const fileUrlOf = (
  { fileId: id, fileName: name }: Pick<MediaRow, 'fileId' | 'fileName'>,
  workspace: Workspace,
): string => fileLink(workspace, { id, name }).url

/** The wire fields of a medium. A cached text is valid as long as its links (`linksHoldUntil`). */
export const mediaFields: Fields<Static<typeof Media>> = {
  id: media.id,
  name: media.name,
  type: media.type,
  mime_type: media.mimeType,
  file_size: media.fileSize,
  width: media.width,
  height: media.height,
  duration: computed([media.durationMs], ([ms]) => secondsOf(ms)),
  url: computed([media.fileId, media.fileName], ([fileId, fileName], workspace) =>
    fileUrlOf({ fileId, fileName }, workspace),
  ),
  thumbnail_url: computed([media.type, media.fileId, media.fileName], ([type, fileId, fileName], workspace) =>
    type === 'image' ? fileUrlOf({ fileId, fileName }, workspace) : null,
  ),
  folder_id: media.folderId,
  tags: media.tags,
  status: computed([], () => 'ready'),
  created_at: instant(media.createdAt),
  updated_at: instant(media.updatedAt),
}

export const mediaView = fieldView(media, mediaFields)

export const itemView = (item: ItemRow): Static<typeof Item> => ({
  id: item.id,
  media_id: item.mediaId,
  media_name: item.mediaName,
  media_type: item.mediaType,
  duration: secondsOf(displayDuration(item)),
  transition: item.transition,
  transition_duration: item.transitionMs / 1000,
  position: item.position,
})

export const playlistView = (playlist: PlaylistDetails): Static<typeof Playlist> => ({
  id: playlist.id,
  name: playlist.name,
  items: playlist.items.map(itemView),
  playback_mode: playlist.playbackMode,
  total_duration: Math.round(totalDuration(playlist) / 1000),
  screens_count: playlist.screensCount,
  created_at: iso(playlist.createdAt),
  updated_at: iso(playlist.updatedAt),
})

type ZoneView = { [Name in keyof typeof zoneFields]: Static<(typeof zoneFields)[Name]> }

export const zoneView = (zone: Zone): ZoneView => ({
  id: zone.name,
  x: zone.x,
  y: zone.y,
  width: zone.width,
  height: zone.height,
  content_type: zone.contentType,
  content_id: zone.playlistId ?? zone.mediaId,
})

export const layoutView = (layout: LayoutDetails): Static<typeof Layout> => ({
  id: layout.id,
  name: layout.name,
  resolution: layout.resolution,
  zones: layout.zones.map(zoneView),
  created_at: iso(layout.createdAt),
  updated_at: iso(layout.updatedAt),
})

/** Formats minutes after midnight as "08:00". */
const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const ruleView = (
  rule: Pick<RuleRow, 'days' | 'startMinute' | 'endMinute' | 'playlistId' | 'layoutId'>,
): Static<typeof Rule> => ({
  days: [...rule.days],
  time_start: timeOf(rule.startMinute),
  time_end: timeOf(rule.endMinute),
  playlist_id: rule.playlistId,
  layout_id: rule.layoutId,
})

export const scheduleView = (schedule: ScheduleDetails): Static<typeof Schedule> => ({
  id: schedule.id,
  name: schedule.name,
  screen_ids: [...schedule.screenIds],
  group_ids: [...schedule.groupIds],
  priority: schedule.priority,
  rules: schedule.rules.map(ruleView),
  date_range:
    schedule.startDate === null && schedule.endDate === null
      ? null
      : { start: schedule.startDate, end: schedule.endDate },
  active: schedule.active,
  created_at: iso(schedule.createdAt),
  updated_at: iso(schedule.updatedAt),
})

export function groupView(group: GroupRow, workspace: Workspace): Static<typeof Group> {
  const screenIds = screenIdsOf(workspace, group.id)
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    screen_ids: screenIds,
    screens_count: screenIds.length,
    created_at: iso(group.createdAt),
    updated_at: iso(group.updatedAt),
  }
}
