/** Screens, media, playlists, layouts, schedules, groups and playbacks. Specification part 1, "Screen (signage)" on. */
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { Type } from '@sinclair/typebox'
import {
  choice,
  date,
  filledText,
  flag,
  id,
  instant,
  integer,
  isOneOf,
  json,
  listOf,
  refersTo,
  states,
  table,
  tableWithKey,
  text,
  textOf,
  url,
  withTimes,
} from '../storage/columns.ts'
import { MAX_ID_LENGTH, oneOf } from '../storage/shapes.ts'
import { MAX_FILE_NAME_LENGTH, storedFiles } from '../storage/tables.ts'
import { actionMachine, pairingCodeMachine, screenMachine } from './machines.ts'

export const ACTIONS = ['restart_app', 'restart_device', 'screenshot', 'force_sync', 'clear_cache'] as const
export const MEDIA_TYPES = ['image', 'video'] as const

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

/** A position or a length: pixels of the resolution, or a percentage of it as a string. */
export type Measure = number | string

/** A percentage of the layout, with at most four decimals: "33.3333%". */
const PERCENTAGE = '^(100(\\.0{1,4})?|\\d{1,2}(\\.\\d{1,4})?)%$'
/** The maximum duration of an item: one day, in ms. */
export const MAX_ITEM_DURATION = 86_400_000
export const MINUTES_OF_DAY = 1440

const name = () => filledText(200)
/** "1920x1080": from 1 to 99999 pixels in each direction. */
const resolution = () => textOf(() => Type.String({ pattern: '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$' }))
const percent = () => integer(0, 100)
const itemDuration = () => integer(0, MAX_ITEM_DURATION)
const MAX_PIXELS = 99_999
const measure = () =>
  Type.Unsafe({ type: ['number', 'string'], minimum: 0, maximum: MAX_PIXELS, pattern: PERCENTAGE })
/** A width or a height: greater than 0. */
const size = () =>
  Type.Unsafe({
    type: ['number', 'string'],
    exclusiveMinimum: 0,
    maximum: MAX_PIXELS,
    pattern: `^(?!0{1,2}(\\.0{1,4})?%$)${PERCENTAGE.slice(1)}`,
  })
/** A tag has one line, because lines separate the tags in `tagKey`. */
export const tag = () => Type.String({ minLength: 1, maxLength: 50, pattern: '^[^\\S\\n]*\\S[^\\n]*$' })
const location = () =>
  Type.Object(
    {
      name: Type.Unsafe({ type: ['string', 'null'], maxLength: 200 }),
      address: Type.Unsafe({ type: ['string', 'null'], maxLength: 500 }),
    },
    { additionalProperties: false },
  )

export const groups = table(
  'signage_groups',
  {
    name: name(),
    description: text(1000).orNull(),
    ...withTimes,
  },
  (self) => [index('signage_groups_created').on(self.workspace, self.createdAt)],
)

export const screens = table(
  'signage_screens',
  {
    name: name(),
    status: states(screenMachine).default('online'),
    orientation: choice(['landscape', 'portrait']),
    resolution: resolution(),
    volume: percent(),
    brightness: percent(),
    location: json<ScreenLocation>(location).orNull(),
    groupId: refersTo(groups).orNull(),
    /** The time of the last report of the device. */
    lastSync: instant().orNull(),
    /** When the screen goes offline without a further report; null while it is offline. */
    silentAt: instant().orNull(),
    /** The start of the current status. */
    statusSince: instant(),
    /** The milliseconds before `statusSince` in which it was not offline. */
    upMs: integer(0).default(0),
    /** The uptime in ms at `uptimeAt`, as the device reported it. */
    uptimeMs: integer(0).default(0),
    uptimeAt: instant(),
    ...withTimes,
    searchKey: text(),
  },
  (self) => [
    index('signage_screens_created').on(self.workspace, self.createdAt),
    index('signage_screens_group').on(self.workspace, self.groupId, self.createdAt),
    index('signage_screens_silent')
      .on(self.workspace, self.silentAt)
      .where(sql`${self.silentAt} is not null`),
    // Covers all columns of the status summary.
    index('signage_screens_status').on(
      self.workspace,
      self.status,
      self.statusSince,
      self.upMs,
      self.createdAt,
    ),
  ],
)

/** The codes that unpaired devices show. */
export const pairingCodes = table(
  'signage_pairing_codes',
  {
    /** "K7PX2M" */
    code: textOf(() => Type.String({ minLength: 1, maxLength: 20 })),
    status: states(pairingCodeMachine).default('issued'),
    /** null if the code does not expire. */
    expiresAt: instant().orNull(),
    /** True if the code pairs a new screen each time. The demo has such a code, so that examples can be repeated. */
    reusable: flag().default(false),
    /** The screen that was paired with the code. It may have been deleted. */
    screenId: id().orNull(),
    createdAt: instant(),
  },
  (self) => [
    uniqueIndex('signage_pairing_codes_code').on(self.workspace, self.code),
    index('signage_pairing_codes_expiring')
      .on(self.workspace, self.expiresAt)
      .where(
        sql`${isOneOf(self.status, pairingCodeMachine.moves.expire.from)} and ${self.expiresAt} is not null`,
      ),
  ],
)

/** The actions requested from devices. */
export const actions = table(
  'signage_actions',
  {
    screenId: refersTo(screens, { cascade: true }),
    action: choice(ACTIONS),
    reason: text(500).orNull(),
    status: states(actionMachine).default('queued'),
    /** Why it failed. */
    error: text(500).orNull(),
    /** The URL of the result: a screenshot. */
    resultUrl: url(2000).orNull(),
    requestedAt: instant(),
    finishedAt: instant().orNull(),
  },
  (self) => [index('signage_actions_screen').on(self.workspace, self.screenId, self.requestedAt)],
)

export const media = table(
  'signage_media',
  {
    name: name(),
    type: choice(MEDIA_TYPES),
    fileId: refersTo(storedFiles),
    /** The file name that the client sent. */
    fileName: filledText(MAX_FILE_NAME_LENGTH),
    /** Detected from the content: "image/png". */
    mimeType: text(),
    /** In bytes. */
    fileSize: integer(0),
    /** In pixels. */
    width: integer(1).orNull(),
    height: integer(1).orNull(),
    /** Of a video, in ms. */
    durationMs: integer(0).orNull(),
    folderId: id().orNull(),
    tags: listOf(tag, { maxItems: 50 }),
    ...withTimes,
    searchKey: text(),
    /** The tags with a separator around each, for searches by tag. */
    tagKey: text(),
  },
  (self) => [
    index('signage_media_created').on(self.workspace, self.createdAt),
    index('signage_media_file').on(self.workspace, self.fileId),
  ],
)

export const playlists = table(
  'signage_playlists',
  {
    name: name(),
    playbackMode: choice(['loop', 'once']),
    shuffle: flag(),
    ...withTimes,
    searchKey: text(),
  },
  (self) => [index('signage_playlists_created').on(self.workspace, self.createdAt)],
)

export const playlistItems = table(
  'signage_playlist_items',
  {
    playlistId: refersTo(playlists, { cascade: true }),
    mediaId: refersTo(media),
    /** From 1. */
    position: integer(1),
    /** null for a video that plays to its end. */
    durationMs: itemDuration().orNull(),
    transition: choice(['fade', 'slide', 'cut']),
    transitionMs: itemDuration(),
  },
  (self) => [
    index('signage_playlist_items_playlist').on(self.workspace, self.playlistId, self.position),
    index('signage_playlist_items_media').on(self.workspace, self.mediaId, self.playlistId),
  ],
)

export const layouts = table(
  'signage_layouts',
  {
    name: name(),
    resolution: resolution(),
    ...withTimes,
  },
  (self) => [index('signage_layouts_created').on(self.workspace, self.createdAt)],
)

export const layoutZones = table(
  'signage_layout_zones',
  {
    layoutId: refersTo(layouts, { cascade: true }),
    /** The name within the layout: "main". */
    name: filledText(100),
    /** From 1. Later zones cover earlier ones. */
    position: integer(1),
    x: json<Measure>(measure),
    y: json<Measure>(measure),
    width: json<Measure>(size),
    height: json<Measure>(size),
    /** null if the zone is empty, for example because its medium was deleted. */
    contentType: choice(['playlist', 'media']).orNull(),
    playlistId: refersTo(playlists).orNull(),
    mediaId: refersTo(media).orNull(),
  },
  (self) => [
    index('signage_layout_zones_layout').on(self.workspace, self.layoutId, self.position),
    index('signage_layout_zones_playlist').on(self.workspace, self.playlistId, self.layoutId),
    index('signage_layout_zones_media').on(self.workspace, self.mediaId, self.layoutId),
  ],
)

export const schedules = table(
  'signage_schedules',
  {
    name: name(),
    /** The highest wins. */
    priority: integer(0, 1000),
    active: flag(),
    /** The first and the last day on which its rules start: "2026-12-01"; null for no limit. */
    startDate: date().orNull(),
    endDate: date().orNull(),
    ...withTimes,
  },
  (self) => [index('signage_schedules_created').on(self.workspace, self.createdAt)],
)

export const scheduleRules = table(
  'signage_schedule_rules',
  {
    scheduleId: refersTo(schedules, { cascade: true }),
    /** From 1. */
    position: integer(1),
    days: listOf(() => oneOf(WEEKDAYS), { minItems: 1, uniqueItems: true }),
    /** Minutes after midnight. A rule whose end is not after its start ends on the next day. */
    startMinute: integer(0, MINUTES_OF_DAY - 1),
    endMinute: integer(0, MINUTES_OF_DAY),
    /** Exactly one of the two is set. */
    playlistId: refersTo(playlists).orNull(),
    layoutId: refersTo(layouts).orNull(),
  },
  (self) => [
    index('signage_schedule_rules_schedule').on(self.workspace, self.scheduleId, self.position),
    index('signage_schedule_rules_playlist').on(self.workspace, self.playlistId, self.scheduleId),
    index('signage_schedule_rules_layout').on(self.workspace, self.layoutId, self.scheduleId),
  ],
)

/** The screens that a schedule names. */
export const scheduleScreens = tableWithKey(
  'signage_schedule_screens',
  ['scheduleId', 'screenId'],
  {
    scheduleId: refersTo(schedules, { cascade: true }),
    screenId: refersTo(screens, { cascade: true }),
  },
  (self) => [index('signage_schedule_screens_screen').on(self.workspace, self.screenId, self.scheduleId)],
)

/** The groups that a schedule names. */
export const scheduleGroups = tableWithKey(
  'signage_schedule_groups',
  ['scheduleId', 'groupId'],
  {
    scheduleId: refersTo(schedules, { cascade: true }),
    groupId: refersTo(groups, { cascade: true }),
  },
  (self) => [index('signage_schedule_groups_group').on(self.workspace, self.groupId, self.scheduleId)],
)

/** The playbacks that devices report. */
export const playbacks = table(
  'signage_playbacks',
  {
    screenId: refersTo(screens, { cascade: true }),
    /** The medium and the playlist may have been deleted. */
    mediaId: id(),
    playlistId: id().orNull(),
    durationMs: itemDuration(),
    completed: flag(),
    playedAt: instant(),
  },
  (self) => [
    index('signage_playbacks_played').on(self.workspace, self.playedAt),
    index('signage_playbacks_screen').on(self.workspace, self.screenId),
  ],
)

export const SUM_SPANS = ['hour', 'day'] as const

/** The sums of playbacks per UTC hour and UTC day, so that analytics do not read single playbacks. */
export const playbackSums = tableWithKey(
  'signage_playback_sums',
  ['span', 'startsAt', 'screenId', 'mediaId', 'playlistId'],
  {
    span: choice(SUM_SPANS),
    /** The start of the hour or day. */
    startsAt: instant(),
    screenId: refersTo(screens, { cascade: true }),
    mediaId: id(),
    /** '' for playbacks outside a playlist, because a key column cannot be null. */
    playlistId: text(MAX_ID_LENGTH),
    plays: integer(0),
    completed: integer(0),
    durationMs: integer(0),
  },
  (self) => [index('signage_playback_sums_screen').on(self.workspace, self.screenId)],
)

/** The names of deleted media and playlists, for the analytics of their playbacks. */
export const deletedNames = table('signage_deleted_names', { name: name() })
