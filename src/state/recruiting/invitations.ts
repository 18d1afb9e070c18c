/**
 * What people hear of an interview: messages with a calendar file (RFC 5545), of which every later one replaces the one
 * before by its UID and SEQUENCE. Times in it are in UTC, and so are right whatever clocks do in between.
 */
import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { sendEmail, textAttachment } from '../emails.ts'
import type { Workspace } from '../workspace.ts'
import type { Candidate } from './candidates.ts'
import type { Interview } from './interviews.ts'
import { timeInWords } from './interviewTimes.ts'
import type { Vacancy } from './vacancies.ts'

export type Occasion = 'invited' | 'rescheduled' | 'cancelled'

/** What an invitation tells of. */
export interface Invited {
  readonly interview: Interview
  readonly vacancy: Vacancy
  readonly candidate: Candidate
  /** Where it takes place, when that is a page. */
  readonly roomUrl: string | null
  readonly reason?: string | null
}

const SUBJECTS: Readonly<Record<Occasion, string>> = {
  invited: 'Invitation',
  rescheduled: 'New time',
  cancelled: 'Cancelled',
}

const OPENINGS: Readonly<Record<Occasion, string>> = {
  invited: 'you are invited to an interview.',
  rescheduled: 'the interview has a new time.',
  cancelled: 'the interview will not take place.',
}

/** One message to the candidate and one to each interviewer. Only inside a `write`. */
export function sendInvitations(workspace: Workspace, occasion: Occasion, invited: Invited): void {
  const { interview, vacancy, candidate } = invited
  const method = occasion === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const send = (name: string, to: string, more: readonly string[]): void => {
    const file = textAttachment(
      occasion === 'cancelled' ? 'cancel.ics' : 'invite.ics',
      `text/calendar; charset=utf-8; method=${method}`,
      calendarFile(workspace, occasion, invited, more),
    )
    sendEmail(workspace, {
      interface: 'recruiting',
      to,
      subject: `${SUBJECTS[occasion]}: ${titleOf(vacancy, candidate)}`,
      text: messageText(workspace, name, occasion, invited, more),
      attachments: [file],
    })
  }
  const preparation = occasion === 'cancelled' ? null : interview.candidatePreparation
  // What the candidate is to prepare is for the candidate alone.
  send(candidate.name, candidate.email, preparation ? [preparation] : [])
  for (const { name, email } of interview.interviewers) send(name, email, [])
}

const titleOf = ({ title }: Vacancy, { name }: Candidate): string => `Interview for ${title} with ${name}`

function messageText(
  workspace: Workspace,
  name: string,
  occasion: Occasion,
  { interview, vacancy, candidate, roomUrl, reason }: Invited,
  more: readonly string[],
): string {
  const lines = [
    `Dear ${name},\n\n${OPENINGS[occasion]}\n`,
    titleOf(vacancy, candidate),
    timeInWords(interview),
    occasion === 'cancelled' ? null : roomUrl,
    reason === null || reason === undefined ? null : `\nReason: ${reason}`,
    ...more.map((each) => `\n${each}`),
    `\n${workspace.name}\n`,
  ]
  return lines.filter((line) => line !== null).join('\n')
}

function calendarFile(
  workspace: Workspace,
  occasion: Occasion,
  invited: Invited,
  more: readonly string[],
): string {
  const { interview, vacancy, candidate, roomUrl } = invited
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
    summary: oneLine(titleOf(vacancy, candidate)),
    description: [timeInWords(interview), ...more].join('\n\n'),
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

/** Without what would end a line of the file. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim() || '-'

/** Names stand between quotes, which a name itself can not have there. */
const quotable = (name: string): string => oneLine(name).replaceAll('"', "'")
