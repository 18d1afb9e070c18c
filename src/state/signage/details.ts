/** Records together with the parts that are serialized with them. */
import type {
  layouts,
  layoutZones,
  media,
  playlistItems,
  playlists,
  scheduleRules,
  schedules,
} from './tables.ts'

export type Media = typeof media.$inferSelect
export type Zone = typeof layoutZones.$inferSelect
export type Rule = typeof scheduleRules.$inferSelect

/** An item of a playlist with its medium. */
export type Item = typeof playlistItems.$inferSelect & {
  readonly mediaName: string
  readonly mediaType: Media['type']
  /** Of a video, in ms. */
  readonly mediaDurationMs: number | null
}

export type PlaylistDetails = typeof playlists.$inferSelect & {
  /** By position. */
  readonly items: readonly Item[]
  /** The number of screens on which an active schedule shows the playlist. */
  readonly screensCount: number
}

export type LayoutDetails = typeof layouts.$inferSelect & {
  /** By position: later zones cover earlier ones. */
  readonly zones: readonly Zone[]
}

export type ScheduleDetails = typeof schedules.$inferSelect & {
  /** By position: the first rule that applies wins. */
  readonly rules: readonly Rule[]
  readonly screenIds: readonly string[]
  readonly groupIds: readonly string[]
}

/** Returns the display time in ms: the duration of the item, else of the video; null if neither is known. */
export const displayDuration = ({ durationMs, mediaDurationMs }: Item): number | null =>
  durationMs ?? mediaDurationMs
