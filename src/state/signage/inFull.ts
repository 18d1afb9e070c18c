/** Records with the parts that are shown with them. */
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

export type PlaylistInFull = typeof playlists.$inferSelect & {
  /** In their order. */
  readonly items: readonly Item[]
  /** Screens for which an active schedule has it. */
  readonly screensCount: number
}

export type LayoutInFull = typeof layouts.$inferSelect & {
  /** In their order: later ones lie on top. */
  readonly zones: readonly Zone[]
}

export type ScheduleInFull = typeof schedules.$inferSelect & {
  /** In their order: the first that holds is the one that counts. */
  readonly rules: readonly Rule[]
  readonly screenIds: readonly string[]
  readonly groupIds: readonly string[]
}

/** How long it is shown, in ms: as long as it says, else as long as the video is; null where nobody knows. */
export const shownFor = ({ durationMs, mediaDurationMs }: Item): number | null =>
  durationMs ?? mediaDurationMs
