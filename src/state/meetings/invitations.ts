/** Invitations to meetings: an e-mail with a calendar file (RFC 5545) with UTC times. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { DateTime } from 'luxon'
import { sendEmail, textAttachment } from '../shared/emails.ts'
import { say, type Language, type Spoken } from '../text/languages.ts'
import { languageOfCause } from '../timeline/causes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import type { Meeting } from './meetings.ts'
import { nameOf, participants, type Participant } from './sessionRecords.ts'

export interface Invitation {
  readonly meeting: Meeting
  readonly participant: Participant
  readonly email: string
  readonly url: string
  /** What changed after the participant was invited. */
  readonly change?: 'time' | 'title'
}

/** The length of a meeting in the calendar. The specification shows none. */
const USUAL_LENGTH = 60 * 60 * 1000

/** Sends an invitation, or an update of the calendar entry; returns the participant. Only inside a `write`. */
export function sendInvitation(workspace: Workspace, invitation: Invitation): Participant {
  const { meeting, participant, email, url, change = 'invited' } = invitation
  const { dear, subjects, firstLines } = EMAIL_TEXTS
  const time: Spoken = (language) =>
    DateTime.fromMillis(meeting.startsAt, { zone: workspace.timezone })
      .setLocale(language)
      .toFormat(language === 'en' ? 'd LLLL yyyy, HH:mm' : "d 'de' LLLL 'de' yyyy, HH:mm")
  sendEmail(workspace, {
    interface: 'meetings',
    to: email,
    subject: say`${subjects[change]}: ${oneLine(meeting.title)}`,
    text: say`${dear(oneLine(nameOf(participant)))}\n\n${firstLines[change]}\n\n${meeting.title}\n${time} (${workspace.timezone})\n${url}\n\n${workspace.name}\n`,
    attachments: [
      textAttachment(
        'invite.ics',
        'text/calendar; charset=utf-8; method=REQUEST',
        calendarFile(workspace, invitation, languageOfCause()),
      ),
    ],
  })
  return participants.update(workspace, participant, { invitedFor: meeting.startsAt })
}

function calendarFile(
  workspace: Workspace,
  { meeting, participant, email, url }: Invitation,
  language: Language,
): string {
  const { invites, join } = EMAIL_TEXTS
  const organizer = workspace.user(meeting.organizerId)
  const calendar = ical({
    prodId: { company: 'Suite Simulator', product: 'Meetings' },
    method: ICalCalendarMethod.REQUEST,
  })
  calendar.createEvent({
    id: `${meeting.id}@suite-simulator`,
    sequence: meeting.sequence,
    status: ICalEventStatus.CONFIRMED,
    stamp: new Date(workspace.now()),
    created: new Date(meeting.createdAt),
    lastModified: new Date(meeting.updatedAt),
    start: new Date(meeting.startsAt),
    end: new Date(meeting.startsAt + USUAL_LENGTH),
    summary: oneLine(meeting.title),
    description: say`${invites(oneLine(workspace.name), oneLine(meeting.title))}\n${join(url)}`(language),
    location: url,
    url,
    organizer: {
      name: oneLine(organizer?.name ?? workspace.name),
      email: organizer?.email ?? 'meetings@example.com',
    },
    attendees: [
      { name: oneLine(nameOf(participant)), email, rsvp: true, status: ICalAttendeeStatus.NEEDSACTION },
    ],
  })
  return calendar.toString()
}

/** Removes line breaks and quotes, which would end a line of the file or a quoted name. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}"]+/gu, ' ').trim() || '-'
