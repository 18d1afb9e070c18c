/** Invitations to meetings: an e-mail with a calendar file (RFC 5545) with UTC times. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { DateTime } from 'luxon'
import { sendEmail, textAttachment } from '../shared/emails.ts'
import type { Workspace } from '../workspace/workspace.ts'
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
  const { meeting, participant, email, url, change } = invitation
  const time = DateTime.fromMillis(meeting.startsAt, { zone: workspace.timezone }).setLocale('en')
  sendEmail(workspace, {
    interface: 'meetings',
    to: email,
    subject: `${change === undefined ? 'Invitation' : `New ${change}`}: ${oneLine(meeting.title)}`,
    text: [
      `Dear ${oneLine(nameOf(participant))},\n\n${change === undefined ? 'you are invited to a meeting.' : `the meeting has a new ${change}.`}\n`,
      meeting.title,
      `${time.toFormat('d LLLL yyyy, HH:mm')} (${workspace.timezone})`,
      url,
      `\n${workspace.name}\n`,
    ].join('\n'),
    attachments: [
      textAttachment(
        'invite.ics',
        'text/calendar; charset=utf-8; method=REQUEST',
        calendarFile(workspace, invitation),
      ),
    ],
  })
  return participants.update(workspace, participant, { invitedFor: meeting.startsAt })
}

function calendarFile(workspace: Workspace, { meeting, participant, email, url }: Invitation): string {
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
    description: `${oneLine(workspace.name)} invites you to ${oneLine(meeting.title)}.\nJoin: ${url}`,
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
