/** The CRM's tables as they stand in snapshots. Amounts are whole hundredths, as the tables keep them. */
import { Type } from '@sinclair/typebox'
import type { RecordSet } from '../records.ts'
import { deriveContact, type Contact } from './contacts.ts'
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
} from './tables.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const freeObject = Type.Record(Type.String(), Type.Unknown())
const vertical = Type.Unsafe({ type: 'string', enum: VERTICALS })
const tag = Type.String({ minLength: 1, maxLength: 50, pattern: '^[^\\n]*\\S[^\\n]*$' })
const probability = Type.Integer({ minimum: 0, maximum: 100 })
const day = Type.String({ format: 'date' })
const stamps = ['createdAt', 'updatedAt']

/** For tables of which nothing but the revision follows from the rest. */
const renewed: Pick<RecordSet, 'derived' | 'complete'> = {
  derived: ['revision'],
  complete: (workspace, row) => ({ ...row, revision: workspace.database.nextRevision() }),
}

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
    ...renewed,
  }),
  set('stageStays', {
    table: stageStays,
    instants: ['enteredAt', 'leftAt'],
    derived: [],
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
      trigger: Type.Object({
        event: Type.String(),
        conditions: Type.Array(
          Type.Object({ field: Type.String(), operator: Type.String(), value: Type.Unknown() }),
        ),
      }),
      actions: Type.Array(Type.Object({ type: Type.String(), config: freeObject })),
    },
    ...renewed,
  }),
  set('executions', {
    table: executions,
    instants: ['executedAt'],
    shapes: { triggerData: freeObject, actionsExecuted: Type.Array(freeObject) },
    ...renewed,
  }),
]
