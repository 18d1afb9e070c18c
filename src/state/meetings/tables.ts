/** Meetings, their participants and their sessions. Specification part 3, "Meeting". */
import { sql } from 'drizzle-orm'
import { index, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { Type } from '@sinclair/typebox'
import {
  choice,
  email,
  filledText,
  flag,
  id,
  instant,
  integer,
  listOf,
  refersTo,
  states,
  table,
  textOf,
  withCreation,
  withTimes,
} from '../storage/columns.ts'
import { meetingMachine, sessionMachine } from './machines.ts'

export const LANGUAGES = [
  ...['en', 'en-US', 'en-AU', 'en-GB', 'en-IN', 'en-NZ', 'es', 'es-419', 'fr', 'fr-CA', 'de'],
  ...['de-CH', 'hi', 'ru', 'pt', 'pt-BR', 'pt-PT', 'ja', 'it', 'nl', 'multi'],
] as const

export const PRESETS = ['sim_meet_host', 'sim_meet_participant', 'sim_meet_guest'] as const

/** The longest summary in characters. */
export const LONGEST_SUMMARY = 20_000

const nonEmpty = (maxLength: number) => textOf(() => Type.String({ minLength: 1, maxLength }))

export const meetings = table(
  'meetings_meetings',
  {
    /** The id in the interface, such as "abc-defg-hij". */
    publicMeetingId: textOf(() => Type.String({ pattern: '^[\\w-]{1,64}$' })),
    title: nonEmpty(300),
    startsAt: instant(),
    isInstant: flag(),
    /** null if nothing is transcribed. */
    language: choice(LANGUAGES).orNull(),
    status: states(meetingMachine).default('ACTIVE'),
    organizerId: id(),
    /** The number of time changes (RFC 5545, SEQUENCE). */
    sequence: integer(0).default(0),
    ...withTimes,
  },
  (self) => [
    uniqueIndex('meetings_meetings_public').on(self.workspace, self.publicMeetingId),
    index('meetings_meetings_created').on(self.workspace, self.createdAt),
  ],
)

export const sessions = table(
  'meetings_sessions',
  {
    meetingId: refersTo(meetings),
    status: states(sessionMachine).default('live'),
    startedAt: instant(),
    endedAt: instant().orNull(),
    /** The names of all who joined, in the order of their first join. */
    attendees: listOf(() => Type.String()),
    /** The id of a stored file. */
    transcriptFileId: id().orNull(),
    summary: filledText(LONGEST_SUMMARY).orNull(),
    /** When the clock completes its transcript, and then its summary. */
    nextAt: instant().orNull(),
    ...withCreation,
  },
  (self) => [
    index('meetings_sessions_meeting').on(self.workspace, self.meetingId, self.startedAt),
    index('meetings_sessions_due')
      .on(self.workspace, self.nextAt)
      .where(sql`${self.nextAt} is not null`),
  ],
)

export const participants = table(
  'meetings_participants',
  {
    meetingId: refersTo(meetings),
    externalId: nonEmpty(200).orNull(),
    presetName: choice(PRESETS),
    name: nonEmpty(200).orNull(),
    email: email().orNull(),
    /** The start of the meeting in the latest invitation; null if none was sent. */
    invitedFor: instant().orNull(),
    /** The id of the latest token. */
    tokenId: id(),
    tokenIssuedAt: instant(),
    /** The session in which the participant is; null if none. */
    sessionId: id().orNull(),
    ...withTimes,
  },
  (self) => [
    uniqueIndex('meetings_participants_external')
      .on(self.workspace, self.meetingId, self.externalId)
      .where(sql`${self.externalId} is not null`),
    index('meetings_participants_session')
      .on(self.workspace, self.sessionId)
      .where(sql`${self.sessionId} is not null`),
  ],
)
