/** The deals of the bench: the same in every run, spread over two pipelines, their stages and all states. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { scratch } from './processes.ts'
import { KEY, WORKSPACE } from './records.ts'

export const DEALS = '/crm/v1/deals'
export const REPORT = '/crm/v1/reports/pipeline'

const FIRST_CREATED = Date.parse('2026-01-01T00:00:00.000Z')
const HOUR = 3_600_000
const CONTACTS = 1000
const STAGES = 5
const STATUSES = ['open', 'open', 'won', 'lost'] as const

export const OWNERS = ['bench-user-1', 'bench-user-2', 'bench-user-3']
export const PIPELINES = ['bench-pipeline-1', 'bench-pipeline-2']
export const stageId = (pipeline: string, stage: number): string => `${pipeline}-stage-${String(stage)}`

/** Returns an id spread over an index like the simulator's ids. */
export const dealId = (index: number): string => `deal_${hash(`deal ${String(index)}`)}`

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20)
const at = (instant: number): string => new Date(instant).toISOString()
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
const times = { createdAt: at(FIRST_CREATED), updatedAt: at(FIRST_CREATED) }

/** Writes a fixture file with `count` deals, each of which has been in two stages. */
export function dealsFixture(count: number): string {
  const file = scratch(`deals-${String(count)}.json`)
  const indexes = Array.from({ length: count }, (_, index) => index)
  writeFileSync(
    file,
    JSON.stringify({
      format: 'suite-simulator/1',
      workspace: { id: WORKSPACE, name: 'Bench' },
      key: KEY,
      users: OWNERS.map((id) => ({ id, name: id, email: `${id}@example.com` })),
      crm: {
        contacts: Array.from({ length: CONTACTS }, (_, index) => contact(index)),
        pipelines: PIPELINES.map((id) => ({ id, name: id, vertical: null, ...times })),
        stages: PIPELINES.flatMap((pipelineId) =>
          Array.from({ length: STAGES }, (_, stage) => ({
            id: stageId(pipelineId, stage),
            pipelineId,
            name: `Stage ${String(stage)}`,
            probability: 10 + stage * 20,
            position: stage + 1,
          })),
        ),
        deals: indexes.map(deal),
        stageStays: indexes.flatMap(stays),
      },
    }),
  )
  return file
}

const contact = (index: number): object => ({
  id: `con_${String(index)}`,
  name: `Contact ${String(index)}`,
  email: `contact.${String(index)}@example.com`,
  phone: null,
  company: null,
  position: null,
  vertical: pick(['automotive', 'real_estate', 'education', 'services'], index),
  tags: [],
  customFields: {},
  ...times,
})

interface DealStage {
  readonly pipeline: string
  readonly stage: number
  readonly created: number
  readonly moved: number
  readonly closed: number | null
}

/** Coprime divisors, so that every combination occurs. */
function dealStage(index: number): DealStage {
  const created = FIRST_CREATED + index * 60_000
  const isOpen = pick(STATUSES, index) === 'open'
  return {
    pipeline: pick(PIPELINES, Math.floor(index / 7)),
    stage: 1 + (Math.floor(index / 3) % (STAGES - 1)),
    created,
    moved: created + HOUR,
    closed: isOpen ? null : created + (2 + (index % 500)) * HOUR,
  }
}

function deal(index: number): object {
  const { pipeline, stage, created, moved, closed } = dealStage(index)
  return {
    id: dealId(index),
    name: `Deal ${String(index)}`,
    contactId: `con_${String(index % CONTACTS)}`,
    pipelineId: pipeline,
    stageId: stageId(pipeline, stage),
    value: (index * 7919) % 10_000_000,
    currency: 'USD',
    status: pick(STATUSES, index),
    expectedCloseDate: at(created + 90 * 24 * HOUR).slice(0, 'YYYY-MM-DD'.length),
    ownerId: pick(OWNERS, Math.floor(index / 11)),
    customFields: {},
    stageEnteredAt: at(moved),
    closedAt: closed === null ? null : at(closed),
    createdAt: at(created),
    updatedAt: at(closed ?? moved),
  }
}

function stays(index: number): object[] {
  const { pipeline, stage, created, moved, closed } = dealStage(index)
  const id = `stay_${hash(`stay ${String(index)}`)}`
  const dealOf = { dealId: dealId(index), reason: null }
  return [
    { id: `${id}_1`, ...dealOf, stageId: stageId(pipeline, 0), enteredAt: at(created), leftAt: at(moved) },
    {
      id: `${id}_2`,
      ...dealOf,
      stageId: stageId(pipeline, stage),
      enteredAt: at(moved),
      leftAt: closed === null ? null : at(closed),
    },
  ]
}
