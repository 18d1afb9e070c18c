/** The events of meetings (assumed; the specification shows none). They go to subscriptions of the control plane. */
import { Type } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { assumed } from '../../state/model/fidelity.ts'
import type { MeetingEventName } from '../../state/meetings/events.ts'
import { Meeting, Participant, Session } from './schemas/meetings.ts'

const why = 'The specification shows no events of meetings.'

const MeetingData = named('MeetingEventData', Assumed(why, Type.Object({ meeting: Meeting })))
const AddedData = named(
  'ParticipantAddedEventData',
  Assumed(why, Type.Object({ meeting: Meeting, participant: Participant })),
)
const SessionData = named(
  'MeetingSessionEventData',
  Assumed(why, Type.Object({ meeting: Meeting, session: Session })),
)
const PresenceData = named(
  'MeetingPresenceEventData',
  Assumed(why, Type.Object({ meeting: Meeting, session: Session, participant: Participant })),
)

const event = (
  name: MeetingEventName,
  title: string,
  payload: PublishedEvent['payload'],
): PublishedEvent => ({ name, title, payload, fidelity: assumed(why) })

export const publishedEvents: readonly PublishedEvent[] = [
  event('meeting.created', 'A meeting was created', MeetingData),
  event('meeting.updated', 'A meeting was changed', MeetingData),
  event('meeting.deactivated', 'A meeting was closed to new connections', MeetingData),
  event('meeting.activated', 'A meeting was reopened', MeetingData),
  event('participant.added', 'A participant was added', AddedData),
  event('session.started', 'A session started', SessionData),
  event('participant.joined', 'A participant joined', PresenceData),
  event('participant.left', 'A participant left', PresenceData),
  event('session.ended', 'A session ended', SessionData),
  event('transcript.completed', 'A transcript was generated', SessionData),
  event('summary.completed', 'A summary was generated', SessionData),
]
