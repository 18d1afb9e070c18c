/** Screens and their groups. Media, and what contains them, are not loaded: their files are not read. */
import { columns, rowsOf, type Loader } from './loader.ts'

const SCREEN = [
  'id',
  'name',
  'status',
  'orientation',
  'resolution',
  'volume',
  'brightness',
  'location',
  'groupId',
  'lastSync',
  'createdAt',
]
/** Resources that are not loaded. */
const UNREAD = ['Media', 'Playlists', 'Layouts', 'Schedules']

const HOUR_MS = 3_600_000

export const signage: Loader = (readings) => {
  const screens = rowsOf(readings, 'listScreens')
  const groups = rowsOf(readings, 'listGroups')
  return {
    snapshot: {
      signage: {
        groups: groups.rows.map(({ row }) =>
          columns(row, ['id', 'name', 'description', 'createdAt', 'updatedAt']),
        ),
        screens: screens.rows.map(({ row }) => ({
          ...columns(row, SCREEN),
          silentAt: null,
          statusSince: row['created_at'],
          uptimeMs: Number(row['uptime_hours']) * HOUR_MS,
          uptimeAt: row['created_at'],
          updatedAt: row['created_at'],
        })),
      },
    },
    unknown: [
      ...UNREAD.flatMap((name) => [`list${name}*`, `get${name.replace(/s$/, '')}*`]),
      'getPlaybackAnalytics*',
    ],
    isComplete: screens.isComplete && groups.isComplete,
  }
}
