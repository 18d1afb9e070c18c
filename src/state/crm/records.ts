/** The tables of the CRM, parents before children. Amounts in snapshots are whole hundredths, as in the tables. */
import type { RecordSet } from '../storage/records/records.ts'
import { crmActivities } from './sales/activityRecords.ts'
import { unfinishedChanges, unseenEvents, waitingSteps } from './automations/runs.ts'
import { automations, executions } from './automations/automations.ts'
import { contacts, segments } from './sales/contacts.ts'
import { deals, stays } from './sales/dealRecords.ts'
import { pipelines, stages } from './sales/pipelines.ts'
import { teams } from './automations/actions/teams.ts'
import { templates } from './automations/actions/templates.ts'

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
