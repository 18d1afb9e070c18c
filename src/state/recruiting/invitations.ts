/**
 * E-mails about interviews with a calendar file (RFC 5545). UID and SEQUENCE make a later file replace an earlier one.
 * Times are in UTC, so that changes of time zone rules do not affect them.
 */
import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { sendEmail, textAttachment } from '../shared/emails.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Candidate } from './candidates.ts'
import type { Interview } from './interviews.ts'
import { timeInWords } from './interviewTimes.ts'
import { say, textIn, type Language, type Spoken } from '../text/languages.ts'
import { languageOfCause } from '../timeline/causes.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import type { Vacancy } from './vacancies.ts'

export type Occasion = 'invited' | 'rescheduled' | 'cancelled'

/** The content of an invitation. */
export interface Invitation {
  readonly interview: Interview
  readonly vacancy: Vacancy
  readonly candidate: Candidate
  /** The URL of the room, if the interview takes place online. */
  readonly roomUrl: string | null
  readonly reason?: string | null
}

/** Sends one message to the candidate and one to each interviewer. Call only inside a `write`. */
export function sendInvitations(workspace: Workspace, occasion: Occasion, invitation: Invitation): void {
  const { interview, vacancy, candidate } = invitation
  const method = occasion === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const send = (name: string, to: string, paragraphs: readonly string[]): void => {
    const file = textAttachment(
      occasion === 'cancelled' ? 'cancel.ics' : 'invite.ics',
      `text/calendar; charset=utf-8; method=${method}`,
      calendarFile(workspace, occasion, invitation, paragraphs, languageOfCause()),
    )
    sendEmail(workspace, {
      interface: 'recruiting',
      to,
      subject: say`${EMAIL_TEXTS.subjects[occasion]}: ${titleOf(vacancy, candidate)}`,
      text: (language) => messageText(workspace, name, occasion, invitation, paragraphs, language),
      attachments: [file],
    })
  }
  const preparation = occasion === 'cancelled' ? null : interview.candidatePreparation
  // Only the candidate receives the preparation notes.
  send(candidate.name, candidate.email, preparation ? [preparation] : [])
  for (const { name, email } of interview.interviewers) send(name, email, [])
}

const titleOf = ({ title }: Vacancy, { name }: Candidate): Spoken => EMAIL_TEXTS.interview(title, name)

function messageText(
  workspace: Workspace,
  name: string,
  occasion: Occasion,
  { interview, vacancy, candidate, roomUrl, reason }: Invitation,
  paragraphs: readonly string[],
  language: Language,
): string {
  const lines = [
    say`${EMAIL_TEXTS.dear(name)}\n\n${EMAIL_TEXTS.firstLines[occasion]}\n`,
    titleOf(vacancy, candidate),
    timeInWords(interview),
    occasion === 'cancelled' ? null : roomUrl,
    reason === null || reason === undefined ? null : say`\n${EMAIL_TEXTS.reason(reason)}`,
    ...paragraphs.map((each) => `\n${each}`),
    `\n${workspace.name}\n`,
  ]
  return lines.flatMap((line) => (line === null ? [] : [textIn(line, language)])).join('\n')
}

function calendarFile(
  workspace: Workspace,
  occasion: Occasion,
  invitation: Invitation,
  paragraphs: readonly string[],
  language: Language,
): string {
  const { interview, vacancy, candidate, roomUrl } = invitation
  const organizer = workspace.user(interview.organizerId)
  const isCancelled = occasion === 'cancelled'
  const calendar = ical({
    prodId: { company: 'Suite Simulator', product: 'Recruiting' },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  })
  calendar.createEvent({
    id: `${interview.id}@suite-simulator`,
    sequence: interview.sequence,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    stamp: new Date(workspace.now()),
    created: new Date(interview.createdAt),
    lastModified: new Date(interview.updatedAt),
    start: new Date(interview.scheduledAt),
    end: new Date(interview.endsAt),
    summary: oneLine(titleOf(vacancy, candidate)(language)),
    description: [timeInWords(interview)(language), ...paragraphs].join('\n\n'),
    location: roomUrl,
    url: roomUrl,
    organizer: {
      name: quotable(organizer?.name ?? workspace.name),
      email: organizer?.email ?? 'recruiting@example.com',
    },
    attendees: [{ ...candidate, required: true }, ...interview.interviewers].map(
      ({ name, email, required }) => ({
        name: quotable(name),
        email,
        rsvp: !isCancelled,
        role: required ? ICalAttendeeRole.REQ : ICalAttendeeRole.OPT,
        status: ICalAttendeeStatus.NEEDSACTION,
      }),
    ),
  })
  return calendar.toString()
}

/** Replaces control characters, which would end a line of the file. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim() || '-'

/** Replaces double quotes, because the file puts names in double quotes. */
const quotable = (name: string): string => oneLine(name).replaceAll('"', "'")
