/** The tables of meetings, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { meetings } from './meetings.ts'
import { participants } from './sessionRecords.ts'
import { sessions } from './transcripts.ts'

export const meetingRecords: readonly RecordSet[] = [meetings, sessions, participants]
