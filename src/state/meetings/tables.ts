/** Meetings, their participants and their sessions. Specification part 3, "Meeting". */
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
import { changing, scoped, stamped } from '../storage/columns.ts'
import { meetingMachine, sessionMachine } from './machines.ts'

export const LANGUAGES = [
  ...['en', 'en-US', 'en-AU', 'en-GB', 'en-IN', 'en-NZ', 'es', 'es-419', 'fr', 'fr-CA', 'de'],
  ...['de-CH', 'hi', 'ru', 'pt', 'pt-BR', 'pt-PT', 'ja', 'it', 'nl', 'multi'],
] as const

export const PRESETS = ['sim_meet_host', 'sim_meet_participant', 'sim_meet_guest'] as const

export const meetings = sqliteTable(
  'meetings_meetings',
  {
    ...scoped,
    /** The id in the interface, such as "abc-defg-hij". */
    publicMeetingId: text('public_meeting_id').notNull(),
    title: text().notNull(),
    startsAt: integer('starts_at').notNull(),
    isInstant: integer('is_instant', { mode: 'boolean' }).notNull(),
    /** null if nothing is transcribed. */
    language: text(),
    status: text({ enum: meetingMachine.states }).notNull().default('ACTIVE'),
    organizerId: text('organizer_id').notNull(),
    /** The number of time changes (RFC 5545, SEQUENCE). */
    sequence: integer().notNull().default(0),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('meetings_meetings_public').on(table.workspace, table.publicMeetingId),
    index('meetings_meetings_created').on(table.workspace, table.createdAt),
  ],
)

const ofMeeting = (table: { workspace: typeof meetings.workspace; meetingId: typeof meetings.id }) =>
  foreignKey({
    columns: [table.workspace, table.meetingId],
    foreignColumns: [meetings.workspace, meetings.id],
  })

export const sessions = sqliteTable(
  'meetings_sessions',
  {
    ...scoped,
    meetingId: text('meeting_id').notNull(),
    status: text({ enum: sessionMachine.states }).notNull().default('live'),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    /** The names of all who joined, in the order of their first join. */
    attendees: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** The id of a stored file. */
    transcriptFileId: text('transcript_file_id'),
    summary: text(),
    /** When the clock completes its transcript, and then its summary. */
    nextAt: integer('next_at'),
    ...changing,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('meetings_sessions_meeting').on(table.workspace, table.meetingId, table.startedAt),
    index('meetings_sessions_due')
      .on(table.workspace, table.nextAt)
      .where(sql`${table.nextAt} is not null`),
    ofMeeting(table as never),
  ],
)

export const participants = sqliteTable(
  'meetings_participants',
  {
    ...scoped,
    meetingId: text('meeting_id').notNull(),
    externalId: text('external_id'),
    presetName: text('preset_name', { enum: PRESETS }).notNull(),
    name: text(),
    email: text(),
    /** The id of the latest token. */
    tokenId: text('token_id').notNull(),
    tokenIssuedAt: integer('token_issued_at').notNull(),
    /** The session in which the participant is; null if none. */
    sessionId: text('session_id'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    uniqueIndex('meetings_participants_external')
      .on(table.workspace, table.meetingId, table.externalId)
      .where(sql`${table.externalId} is not null`),
    index('meetings_participants_session')
      .on(table.workspace, table.sessionId)
      .where(sql`${table.sessionId} is not null`),
    ofMeeting(table as never),
  ],
)
