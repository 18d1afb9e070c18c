/** The tables of the CRM, parents before children. Amounts in snapshots are whole hundredths, as in the tables. */
import type { RecordSet } from '../storage/records/records.ts'
import { crmActivities } from './activityRecords.ts'
import { unfinishedChanges, unseenEvents, waitingSteps } from './automationRuns.ts'
import { automations, executions } from './automations.ts'
import { contacts, segments } from './contacts.ts'
import { deals, stays } from './dealRecords.ts'
import { pipelines, stages } from './pipelines.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'

export const crmRecords: readonly RecordSet[] = [
  contacts,
  segments,
  teams,
  templates,
  pipelines,
  stages,
  deals,
  stays,
  crmActivities,
  automations,
  executions,
  waitingSteps,
  unfinishedChanges,
  unseenEvents,
]
