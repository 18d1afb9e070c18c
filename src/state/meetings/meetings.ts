/** Meetings. Specification part 3, "Meeting", "Meeting status". */
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { appendMeetingEvent } from './events.ts'
import { meetingMachine, MOVE_TO } from './machines.ts'
import { meetings as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

export type Meeting = typeof table.$inferSelect

export const meetings = record(table, {
  noun: 'meeting',
  absent: (message) => refuseCase('meeting_unknown', message),
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: {
    section: 'meetings',
    name: 'meetings',
    generated: ['publicMeetingId'],
  },
})

/** Finds meetings by publicMeetingId. */
export const meetingsByPublicId = meetings.by('publicMeetingId')

/** `startsAt` is null for an instant meeting. */
export type NewMeeting = Pick<Meeting, 'title' | 'language'> & { readonly startsAt: number | null }

/** Adds a meeting. Without a time, it starts now. */
export function createMeeting(workspace: Workspace, author: User, fields: NewMeeting): Meeting {
  return workspace.write(() => {
    const now = workspace.now()
    const meeting = meetings.insert(workspace, {
      ...fields,
      id: workspace.ids.uuid('meeting'),
      publicMeetingId: newPublicId(workspace),
      startsAt: fields.startsAt ?? now,
      isInstant: fields.startsAt === null,
      organizerId: author.id,
      createdAt: now,
      updatedAt: now,
    })
    appendMeetingEvent(workspace, 'meeting.created', meeting.id, { meeting })
    return meeting
  })
}

/** Generates an id such as "k3x-p0qa-7zd". */
function newPublicId(workspace: Workspace): string {
  const end = workspace.ids.cuid2('publicMeetingId').slice(-10)
  const id = `${end.slice(0, 3)}-${end.slice(3, 7)}-${end.slice(7)}`
  return meetingsByPublicId.find(workspace, id) ? newPublicId(workspace) : id
}

export type MeetingChanges = Partial<Pick<Meeting, 'title' | 'startsAt' | 'status'>>

/** Updates the given fields. An INACTIVE meeting admits no more participants; present participants stay. */
export function updateMeeting(workspace: Workspace, meeting: Meeting, changes: MeetingChanges): Meeting {
  return workspace.write(() => {
    const { status = meeting.status, ...fields } = changes
    let changed = meeting
    const now = workspace.now()
    if (isChange(meeting, fields)) {
      const isMoved = fields.startsAt !== undefined && fields.startsAt !== meeting.startsAt
      const isRenamed = fields.title !== undefined && fields.title !== meeting.title
      changed = meetings.update(workspace, changed, {
        ...fields,
        ...((isMoved || isRenamed) && { sequence: meeting.sequence + 1 }),
        updatedAt: now,
      })
      appendMeetingEvent(workspace, 'meeting.updated', meeting.id, { meeting: changed })
    }
    if (status !== meeting.status) {
      const { state, event } = take(meetingMachine, meeting.status, MOVE_TO[status])
      changed = meetings.update(workspace, changed, { status: state, updatedAt: now })
      appendMeetingEvent(workspace, event, meeting.id, { meeting: changed })
    }
    return changed
  })
}

/** Refuses new connections to an INACTIVE meeting. */
export function mustAcceptConnections(meeting: Meeting): void {
  if (meeting.status === 'INACTIVE') {
    refuseCase(
      'meeting_inactive',
      `The meeting ${meeting.publicMeetingId} is INACTIVE and accepts no new connections.`,
    )
  }
}
