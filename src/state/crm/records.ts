/** The CRM's tables as they stand in snapshots. Amounts are whole hundredths, as the tables keep them. */
import { Type } from '@sinclair/typebox'
import { renewed, type RecordSet } from '../records.ts'
import { ACTION_TYPES } from './automationActions.ts'
import { deriveAutomation, type Automation } from './automations.ts'
import { OPERATORS } from './conditions.ts'
import { deriveContact, type Contact } from './contacts.ts'
import { deriveDeal, deriveStay, type Deal, type Stay } from './deals.ts'
import { CRM_EVENTS } from './events.ts'
import {
  automations,
  contacts,
  crmActivities,
  deals,
  executions,
  pipelines,
  segments,
  stages,
  stageStays,
  teams,
  templates,
  VERTICALS,
  waitingSteps,
} from './tables.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const freeObject = Type.Record(Type.String(), Type.Unknown())
const oneOf = (values: readonly string[]) => Type.Unsafe({ type: 'string', enum: values })
const vertical = oneOf(VERTICALS)
const tag = Type.String({ minLength: 1, maxLength: 50, pattern: '^[^\\n]*\\S[^\\n]*$' })
const probability = Type.Integer({ minimum: 0, maximum: 100 })
const day = Type.String({ format: 'date' })
const stamps = ['createdAt', 'updatedAt']
const condition = Type.Object(
  { field: text(200), operator: oneOf(OPERATORS), value: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)
const action = Type.Object({ type: oneOf(ACTION_TYPES), config: freeObject }, { additionalProperties: false })

const set = (name: string, of: Omit<RecordSet, 'section' | 'name'>): RecordSet => ({
  section: 'crm',
  name,
  ...of,
})

export const crmRecords: readonly RecordSet[] = [
  set('contacts', {
    table: contacts,
    instants: stamps,
    derived: ['emailKey', 'nameKey', 'searchKey', 'tagKey', 'revision'],
    shapes: {
      name: text(200),
      email: Type.String({ format: 'email' }),
      tags: Type.Array(tag, { maxItems: 50 }),
      customFields: freeObject,
    },
    complete: (workspace, row) => deriveContact(workspace, row as Contact),
  }),
  set('segments', {
    table: segments,
    instants: ['createdAt'],
    derived: [],
    shapes: {
      name: text(200),
      filters: Type.Object(
        {
          search: Type.Optional(Type.String({ minLength: 1 })),
          tag: Type.Optional(tag),
          vertical: Type.Optional(vertical),
        },
        { additionalProperties: false },
      ),
    },
  }),
  set('teams', {
    table: teams,
    instants: ['createdAt'],
    derived: [],
    shapes: {
      name: text(200),
      members: Type.Array(Type.String({ minLength: 1 })),
      turns: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    },
  }),
  set('templates', {
    table: templates,
    instants: ['createdAt'],
    derived: [],
    shapes: { name: text(200) },
  }),
  set('pipelines', { table: pipelines, instants: stamps, shapes: { name: text(200) }, ...renewed }),
  set('stages', {
    table: stages,
    instants: [],
    derived: [],
    shapes: {
      name: text(200),
      probability,
      position: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    },
  }),
  set('deals', {
    table: deals,
    instants: [...stamps, 'stageEnteredAt', 'closedAt'],
    shapes: {
      name: text(200),
      value: Type.Integer({ minimum: 0, maximum: 99_999_999_999_999 }),
      currency: Type.String({ format: 'iso-4217' }),
      expectedCloseDate: day,
      customFields: freeObject,
    },
    derived: ['vertical', 'revision'],
    complete: (workspace, row) => deriveDeal(workspace, row as Deal),
  }),
  set('stageStays', {
    table: stageStays,
    instants: ['enteredAt', 'leftAt'],
    derived: ['dealCreatedAt'],
    complete: (workspace, row) => deriveStay(workspace, row as Stay),
  }),
  set('activities', {
    table: crmActivities,
    instants: [...stamps, 'dueAt', 'completedAt'],
    shapes: {
      subject: text(200),
      durationMinutes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    },
    ...renewed,
  }),
  set('automations', {
    table: automations,
    instants: [...stamps, 'lastExecutedAt'],
    shapes: {
      name: text(200),
      trigger: Type.Object(
        { event: oneOf(CRM_EVENTS), conditions: Type.Array(condition) },
        { additionalProperties: false },
      ),
      actions: Type.Array(action),
      executionsCount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    },
    derived: ['event', 'revision'],
    complete: (workspace, row) => deriveAutomation(workspace, row as Automation),
  }),
  set('executions', {
    table: executions,
    instants: ['executedAt'],
    shapes: { triggerData: freeObject, actionsExecuted: Type.Array(freeObject) },
    ...renewed,
  }),
  set('waitingSteps', {
    table: waitingSteps,
    instants: ['dueAt'],
    derived: [],
    shapes: {
      actions: Type.Array(action),
      triggerData: freeObject,
      chain: Type.Array(Type.String({ minLength: 1 })),
    },
  }),
]
