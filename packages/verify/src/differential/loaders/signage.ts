/** Groups, screens with their actions, media, playlists, layouts and schedules. Playbacks are not shown one by one. */
import type { Answers, Row } from '../../crawl/answers.ts'
import {
  columns,
  detailed,
  fileNotShown,
  milliseconds,
  NOT_SHOWN,
  rowsOf,
  startOf,
  type Loaded,
  type Loader,
  type LoadOptions,
} from './loader.ts'

const HOUR_MS = 3_600_000
const TIMES = ['createdAt', 'updatedAt']
const SCREEN = [
  ...['id', 'name', 'status', 'orientation', 'resolution', 'volume', 'brightness', 'location', 'groupId'],
  ...['lastSync', 'createdAt'],
]
const ACTION = ['screenId', 'action', 'reason', 'status', 'error', 'resultUrl', 'requestedAt', 'finishedAt']
const MEDIUM = ['id', 'name', 'type', 'mimeType', 'fileSize', 'width', 'height', 'folderId', 'tags', ...TIMES]

/** Sections whose rows have an own list and no further rules. */
type List = readonly Row[]
const partsOf = (row: Row, name: string): List => (row[name] ?? []) as List

export const signage: Loader = { needs: ['getScreen'], load }

function load(answers: Answers, { knowsTimezone }: LoadOptions): Loaded {
  const groups = rowsOf(answers, 'listGroups')
  const screens = detailed(answers, 'getScreen', rowsOf(answers, 'listScreens'))
  const media = rowsOf(answers, 'listMedia')
  const playlists = rowsOf(answers, 'listPlaylists')
  const layouts = rowsOf(answers, 'listLayouts')
  const schedules = rowsOf(answers, 'listSchedules')
  const now = startOf(answers)
  return {
    snapshot: {
      files: fileNotShown(now),
      signage: {
        groups: groups.rows.map(({ row }) => columns(row, ['id', 'name', 'description', ...TIMES])),
        screens: screens.rows.map(({ row }) => ({
          ...columns(row, SCREEN),
          statusSince: now,
          uptimeMs: Number(row['uptime_hours']) * HOUR_MS,
          uptimeAt: now,
          updatedAt: row['last_sync'] ?? row['created_at'],
        })),
        actions: screens.rows.flatMap(({ row }) =>
          partsOf(row, 'actions')
            .toReversed()
            .map((action) => ({ ...columns(action, ACTION), id: action['action_id'] })),
        ),
        media: media.rows.map(({ row }) => ({
          ...columns(row, MEDIUM),
          fileId: NOT_SHOWN,
          fileName: NOT_SHOWN,
          durationMs: milliseconds(row['duration']),
        })),
        playlists: playlists.rows.map(({ row }) => ({
          ...columns(row, ['id', 'name', 'playbackMode', ...TIMES]),
          shuffle: false,
        })),
        playlistItems: playlists.rows.flatMap(({ row }) =>
          partsOf(row, 'items').map((item) => ({
            ...columns(item, ['id', 'mediaId', 'position', 'transition']),
            playlistId: row['id'],
            durationMs: milliseconds(item['duration']),
            transitionMs: milliseconds(item['transition_duration']),
          })),
        ),
        layouts: layouts.rows.map(({ row }) => columns(row, ['id', 'name', 'resolution', ...TIMES])),
        layoutZones: layouts.rows.flatMap(({ row }, place) =>
          partsOf(row, 'zones').map((zone, index) => ({
            ...columns(zone, ['x', 'y', 'width', 'height', 'contentType']),
            id: `zone_${String(place)}_${String(index)}`,
            layoutId: row['id'],
            name: zone['id'],
            position: index + 1,
            playlistId: zone['content_type'] === 'playlist' ? zone['content_id'] : null,
            mediaId: zone['content_type'] === 'media' ? zone['content_id'] : null,
          })),
        ),
        ...schedulesOf(schedules.rows.map(({ row }) => row)),
      },
    },
    unknown: [
      // Devices report playbacks and silence, which only sums show.
      'getPlaybackAnalytics.data*',
      'getPlaybackAnalytics.meta.total_plays',
      'getScreenStatus.average_uptime_percent',
      ...(knowsTimezone ? [] : ['listScreens.data[].current_playlist_id', 'getScreen.current_playlist_id']),
    ],
    derived: [
      ...['getScreen.current_playlist_id', 'getPlaylist.screens_count'],
      ...['getGroup.screen_ids*', 'getGroup.screens_count'],
    ],
    isComplete: [groups, screens, media, playlists, layouts, schedules].every(({ isComplete }) => isComplete),
  }
}

function schedulesOf(schedules: List): Record<string, unknown> {
  const named = (name: string, column: string): object[] =>
    schedules.flatMap((row) =>
      ((row[name] ?? []) as unknown[]).map((id) => ({ scheduleId: row['id'], [column]: id })),
    )
  return {
    schedules: schedules.map((row) => {
      const range = row['date_range'] as Row | null
      const dates = { startDate: range?.['start'] ?? null, endDate: range?.['end'] ?? null }
      return { ...columns(row, ['id', 'name', 'priority', 'active', ...TIMES]), ...dates }
    }),
    scheduleRules: schedules.flatMap((row, place) =>
      partsOf(row, 'rules').map((rule, index) => ({
        ...columns(rule, ['days', 'playlistId', 'layoutId']),
        id: `rule_${String(place)}_${String(index)}`,
        scheduleId: row['id'],
        position: index + 1,
        startMinute: minutes(rule['time_start']),
        endMinute: minutes(rule['time_end']),
      })),
    ),
    scheduleScreens: named('screen_ids', 'screenId'),
    scheduleGroups: named('group_ids', 'groupId'),
  }
}

/** Returns the minutes after midnight of "08:30". */
function minutes(time: unknown): unknown {
  const [, hours, rest] = /^(\d\d):(\d\d)/.exec(String(time)) ?? []
  return hours === undefined ? time : Number(hours) * 60 + Number(rest)
}
