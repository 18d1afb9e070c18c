/** The schemas of the event data of meetings; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { Meeting, Participant, Session } from './shapes/meetings.ts'

const data = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(name, Assumed('The specification shows no events of meetings.', Type.Object(fields)))

export const MeetingData = data('MeetingEventData', { meeting: Meeting.item })
export const AddedData = data('ParticipantAddedEventData', {
  meeting: Meeting.item,
  participant: Participant.item,
})
export const SessionData = data('MeetingSessionEventData', { meeting: Meeting.item, session: Session.item })
export const PresenceData = data('MeetingPresenceEventData', {
  meeting: Meeting.item,
  session: Session.item,
  participant: Participant.item,
})
