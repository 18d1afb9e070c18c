/** Screens, media, playlists, layouts, schedules, groups and playbacks. Specification part 1, "Screen (signage)" on. */
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { isOneOf, scoped, stamped } from '../storage/columns.ts'
import { storedFiles } from '../storage/tables.ts'
import { actionMachine, pairingCodeMachine, screenMachine } from './machines.ts'

export const ORIENTATIONS = ['landscape', 'portrait'] as const
export const ACTIONS = ['restart_app', 'restart_device', 'screenshot', 'force_sync', 'clear_cache'] as const
export const MEDIA_TYPES = ['image', 'video'] as const
export const TRANSITIONS = ['fade', 'slide', 'cut'] as const
export const PLAYBACK_MODES = ['loop', 'once'] as const
export const CONTENT_TYPES = ['playlist', 'media'] as const

/** In the order of the ISO 8601 week. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

export type Weekday = (typeof WEEKDAYS)[number]

export interface ScreenLocation {
  readonly name: string | null
  readonly address: string | null
}

export const groups = sqliteTable(
  'signage_groups',
  {
    ...scoped,
    name: text().notNull(),
    description: text(),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_groups_created').on(table.workspace, table.createdAt),
  ],
)

export const screens = sqliteTable(
  'signage_screens',
  {
    ...scoped,
    name: text().notNull(),
    status: text({ enum: screenMachine.states }).notNull().default('online'),
    orientation: text({ enum: ORIENTATIONS }).notNull(),
    /** "1920x1080" */
    resolution: text().notNull(),
    volume: integer().notNull(),
    brightness: integer().notNull(),
    location: text({ mode: 'json' }).$type<ScreenLocation>(),
    groupId: text('group_id'),
    /** The time of the last report of the device. */
    lastSync: integer('last_sync'),
    /** When the screen goes offline without a further report; null while it is offline. */
    silentAt: integer('silent_at'),
    /** The start of the current status. */
    statusSince: integer('status_since').notNull(),
    /** The milliseconds before `statusSince` in which it was not offline. */
    upMs: integer('up_ms').notNull().default(0),
    /** The uptime in ms at `uptimeAt`, as the device reported it. */
    uptimeMs: integer('uptime_ms').notNull().default(0),
    uptimeAt: integer('uptime_at').notNull(),
    ...stamped,
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_screens_created').on(table.workspace, table.createdAt),
    index('signage_screens_group').on(table.workspace, table.groupId, table.createdAt),
    index('signage_screens_silent')
      .on(table.workspace, table.silentAt)
      .where(sql`${table.silentAt} is not null`),
    // Covers all columns of the status summary.
    index('signage_screens_status').on(
      table.workspace,
      table.status,
      table.statusSince,
      table.upMs,
      table.createdAt,
    ),
    foreignKey({
      columns: [table.workspace, table.groupId],
      foreignColumns: [groups.workspace, groups.id],
    }),
  ],
)

/** The codes that unpaired devices show. */
export const pairingCodes = sqliteTable(
  'signage_pairing_codes',
  {
    ...scoped,
    /** "K7PX2M" */
    code: text().notNull(),
    status: text({ enum: pairingCodeMachine.states }).notNull().default('issued'),
    /** null if the code does not expire. */
    expiresAt: integer('expires_at'),
    /** True if the code pairs a new screen each time. The demo has such a code, so that examples can be repeated. */
    reusable: integer({ mode: 'boolean' }).notNull().default(false),
    /** The screen that was paired with the code. It may have been deleted. */
    screenId: text('screen_id'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('signage_pairing_codes_code').on(table.workspace, table.code),
    index('signage_pairing_codes_expiring')
      .on(table.workspace, table.expiresAt)
      .where(
        sql`${isOneOf(table.status, pairingCodeMachine.moves.expire.from)} and ${table.expiresAt} is not null`,
      ),
  ],
)

/** The actions requested from devices. */
export const actions = sqliteTable(
  'signage_actions',
  {
    ...scoped,
    screenId: text('screen_id').notNull(),
    action: text({ enum: ACTIONS }).notNull(),
    reason: text(),
    status: text({ enum: actionMachine.states }).notNull().default('queued'),
    /** Why it failed. */
    error: text(),
    /** The URL of the result: a screenshot. */
    resultUrl: text('result_url'),
    requestedAt: integer('requested_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_actions_screen').on(table.workspace, table.screenId, table.requestedAt),
    foreignKey({
      columns: [table.workspace, table.screenId],
      foreignColumns: [screens.workspace, screens.id],
    }).onDelete('cascade'),
  ],
)

export const media = sqliteTable(
  'signage_media',
  {
    ...scoped,
    name: text().notNull(),
    type: text({ enum: MEDIA_TYPES }).notNull(),
    fileId: text('file_id').notNull(),
    /** The file name that the client sent. */
    fileName: text('file_name').notNull(),
    /** Detected from the content: "image/png". */
    mimeType: text('mime_type').notNull(),
    /** In bytes. */
    fileSize: integer('file_size').notNull(),
    /** In pixels. */
    width: integer(),
    height: integer(),
    /** Of a video, in ms. */
    durationMs: integer('duration_ms'),
    folderId: text('folder_id'),
    tags: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    ...stamped,
    searchKey: text('search_key').notNull(),
    /** The tags with a separator around each, for searches by tag. */
    tagKey: text('tag_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_media_created').on(table.workspace, table.createdAt),
    index('signage_media_file').on(table.workspace, table.fileId),
    foreignKey({
      columns: [table.workspace, table.fileId],
      foreignColumns: [storedFiles.workspace, storedFiles.id],
    }),
  ],
)

export const playlists = sqliteTable(
  'signage_playlists',
  {
    ...scoped,
    name: text().notNull(),
    playbackMode: text('playback_mode', { enum: PLAYBACK_MODES }).notNull(),
    shuffle: integer({ mode: 'boolean' }).notNull(),
    ...stamped,
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_playlists_created').on(table.workspace, table.createdAt),
  ],
)

export const playlistItems = sqliteTable(
  'signage_playlist_items',
  {
    ...scoped,
    playlistId: text('playlist_id').notNull(),
    mediaId: text('media_id').notNull(),
    /** From 1. */
    position: integer().notNull(),
    /** null for a video that plays to its end. */
    durationMs: integer('duration_ms'),
    transition: text({ enum: TRANSITIONS }).notNull(),
    transitionMs: integer('transition_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_playlist_items_playlist').on(table.workspace, table.playlistId, table.position),
    index('signage_playlist_items_media').on(table.workspace, table.mediaId, table.playlistId),
    foreignKey({
      columns: [table.workspace, table.playlistId],
      foreignColumns: [playlists.workspace, playlists.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.mediaId],
      foreignColumns: [media.workspace, media.id],
    }),
  ],
)

export const layouts = sqliteTable(
  'signage_layouts',
  {
    ...scoped,
    name: text().notNull(),
    /** "1920x1080" */
    resolution: text().notNull(),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_layouts_created').on(table.workspace, table.createdAt),
  ],
)

/** A position or a length: pixels of the resolution, or a percentage of it as a string. */
export type Measure = number | string

export const layoutZones = sqliteTable(
  'signage_layout_zones',
  {
    ...scoped,
    layoutId: text('layout_id').notNull(),
    /** The name within the layout: "main". */
    name: text().notNull(),
    /** From 1. Later zones cover earlier ones. */
    position: integer().notNull(),
    x: text({ mode: 'json' }).$type<Measure>().notNull(),
    y: text({ mode: 'json' }).$type<Measure>().notNull(),
    width: text({ mode: 'json' }).$type<Measure>().notNull(),
    height: text({ mode: 'json' }).$type<Measure>().notNull(),
    /** null if the zone is empty, for example because its medium was deleted. */
    contentType: text('content_type', { enum: CONTENT_TYPES }),
    playlistId: text('playlist_id'),
    mediaId: text('media_id'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_layout_zones_layout').on(table.workspace, table.layoutId, table.position),
    index('signage_layout_zones_playlist').on(table.workspace, table.playlistId, table.layoutId),
    index('signage_layout_zones_media').on(table.workspace, table.mediaId, table.layoutId),
    foreignKey({
      columns: [table.workspace, table.layoutId],
      foreignColumns: [layouts.workspace, layouts.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.playlistId],
      foreignColumns: [playlists.workspace, playlists.id],
    }),
    foreignKey({
      columns: [table.workspace, table.mediaId],
      foreignColumns: [media.workspace, media.id],
    }),
  ],
)

export const schedules = sqliteTable(
  'signage_schedules',
  {
    ...scoped,
    name: text().notNull(),
    /** The highest wins. */
    priority: integer().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    /** The first and the last day on which its rules start: "2026-12-01"; null for no limit. */
    startDate: text('start_date'),
    endDate: text('end_date'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_schedules_created').on(table.workspace, table.createdAt),
  ],
)

export const scheduleRules = sqliteTable(
  'signage_schedule_rules',
  {
    ...scoped,
    scheduleId: text('schedule_id').notNull(),
    /** From 1. */
    position: integer().notNull(),
    days: text({ mode: 'json' }).$type<readonly Weekday[]>().notNull(),
    /** Minutes after midnight. A rule whose end is not after its start ends on the next day. */
    startMinute: integer('start_minute').notNull(),
    endMinute: integer('end_minute').notNull(),
    /** Exactly one of the two is set. */
    playlistId: text('playlist_id'),
    layoutId: text('layout_id'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_schedule_rules_schedule').on(table.workspace, table.scheduleId, table.position),
    index('signage_schedule_rules_playlist').on(table.workspace, table.playlistId, table.scheduleId),
    index('signage_schedule_rules_layout').on(table.workspace, table.layoutId, table.scheduleId),
    foreignKey({
      columns: [table.workspace, table.scheduleId],
      foreignColumns: [schedules.workspace, schedules.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.playlistId],
      foreignColumns: [playlists.workspace, playlists.id],
    }),
    foreignKey({
      columns: [table.workspace, table.layoutId],
      foreignColumns: [layouts.workspace, layouts.id],
    }),
  ],
)

/** The screens that a schedule names. */
export const scheduleScreens = sqliteTable(
  'signage_schedule_screens',
  {
    workspace: integer().notNull(),
    scheduleId: text('schedule_id').notNull(),
    screenId: text('screen_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.scheduleId, table.screenId] }),
    index('signage_schedule_screens_screen').on(table.workspace, table.screenId, table.scheduleId),
    foreignKey({
      columns: [table.workspace, table.scheduleId],
      foreignColumns: [schedules.workspace, schedules.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.screenId],
      foreignColumns: [screens.workspace, screens.id],
    }).onDelete('cascade'),
  ],
)

/** The groups that a schedule names. */
export const scheduleGroups = sqliteTable(
  'signage_schedule_groups',
  {
    workspace: integer().notNull(),
    scheduleId: text('schedule_id').notNull(),
    groupId: text('group_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.scheduleId, table.groupId] }),
    index('signage_schedule_groups_group').on(table.workspace, table.groupId, table.scheduleId),
    foreignKey({
      columns: [table.workspace, table.scheduleId],
      foreignColumns: [schedules.workspace, schedules.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.groupId],
      foreignColumns: [groups.workspace, groups.id],
    }).onDelete('cascade'),
  ],
)

/** The playbacks that devices report. */
export const playbacks = sqliteTable(
  'signage_playbacks',
  {
    ...scoped,
    screenId: text('screen_id').notNull(),
    /** The medium and the playlist may have been deleted. */
    mediaId: text('media_id').notNull(),
    playlistId: text('playlist_id'),
    durationMs: integer('duration_ms').notNull(),
    completed: integer({ mode: 'boolean' }).notNull(),
    playedAt: integer('played_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('signage_playbacks_played').on(table.workspace, table.playedAt),
    index('signage_playbacks_screen').on(table.workspace, table.screenId),
    foreignKey({
      columns: [table.workspace, table.screenId],
      foreignColumns: [screens.workspace, screens.id],
    }).onDelete('cascade'),
  ],
)

export const SUM_SPANS = ['hour', 'day'] as const

/** The sums of playbacks per UTC hour and UTC day, so that analytics do not read single playbacks. */
export const playbackSums = sqliteTable(
  'signage_playback_sums',
  {
    workspace: integer().notNull(),
    span: text({ enum: SUM_SPANS }).notNull(),
    /** The start of the hour or day. */
    startsAt: integer('starts_at').notNull(),
    screenId: text('screen_id').notNull(),
    mediaId: text('media_id').notNull(),
    /** '' for playbacks outside a playlist. */
    playlistId: text('playlist_id').notNull(),
    plays: integer().notNull(),
    completed: integer().notNull(),
    durationMs: integer('duration_ms').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.workspace, table.span, table.startsAt, table.screenId, table.mediaId, table.playlistId],
    }),
    index('signage_playback_sums_screen').on(table.workspace, table.screenId),
    foreignKey({
      columns: [table.workspace, table.screenId],
      foreignColumns: [screens.workspace, screens.id],
    }).onDelete('cascade'),
  ],
)

/** The names of deleted media and playlists, for the analytics of their playbacks. */
export const deletedNames = sqliteTable(
  'signage_deleted_names',
  { ...scoped, name: text().notNull() },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)
