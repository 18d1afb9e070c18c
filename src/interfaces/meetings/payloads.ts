/** The schemas of the event data of meetings; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, named } from '../../http/schemas/schemas.ts'
import { Meeting, Participant, Session } from './schemas/meetings.ts'

const data = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(name, Assumed('The specification shows no events of meetings.', Type.Object(fields)))

export const MeetingData = data('MeetingEventData', { meeting: Meeting })
export const AddedData = data('ParticipantAddedEventData', { meeting: Meeting, participant: Participant })
export const SessionData = data('MeetingSessionEventData', { meeting: Meeting, session: Session })
export const PresenceData = data('MeetingPresenceEventData', {
  meeting: Meeting,
  session: Session,
  participant: Participant,
})
