/** The operation that puts a new record into a state. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { counted } from '@suite-sim/kit/text/counted'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { FreeObject, named, OneOf } from '../../../http/schemas/schemas.ts'
import type { Machine } from '../../../state/model/machine.ts'
import { refuse } from '../../../state/model/refusal.ts'
import type { SentFields } from '../../../state/model/ways.ts'
import { machinesOfTable } from '../../../state/storage/records/record.ts'
import type { RecordSet } from '../../../state/storage/records/records.ts'
import type { ControlContext } from '../../shared/context.ts'
import { controlRoutesOf, workspaceMustExist, type ControlResource } from '../../shared/dialect.ts'
import { strict, WorkspaceId } from '../../shared/schemas.ts'
import { sectionOf } from '../records.ts'
import { planOf } from './plan.ts'
import { walk } from './walk.ts'

const Reach = named(
  'Reach',
  Type.Object(
    {
      record: Type.String({
        maxLength: 100,
        description: 'The section of the record, or its state machine.',
        examples: ['payments.refunds'],
      }),
      state: Type.String({ maxLength: 100, examples: ['failed'] }),
      fields: Type.Optional(
        FreeObject({
          description: 'Fields of the call or trigger that makes the record, in place of its own.',
        }),
      ),
    },
    strict,
  ),
)

const Reached = named(
  'Reached',
  Type.Object({
    record: FreeObject({
      description:
        'The response of its get operation. A record without such an operation is as in snapshots.',
    }),
    state: Type.String({ examples: ['failed'] }),
    way: Type.Array(
      Type.Object({
        kind: OneOf(['call', 'trigger', 'clock']),
        title: Type.String(),
        curl: Type.String({
          description:
            'A command for a shell with SIM_URL, WORKSPACE, KEY and ACCOUNT. It takes fields of answers with jq.',
        }),
        code: Type.String({ description: 'The same with a workspace of the library.' }),
      }),
      { description: 'The steps that were made, in order. Names refer to the answers of steps before.' },
    ),
  }),
)

/** A machine with the set of records that it is for; a machine of a trace has none. */
interface Target {
  readonly machine: Machine
  readonly column: string
  readonly set: RecordSet | null
}

export const reach: ControlResource = async (app, context) => {
  const targets = targetsOf(context)
  controlRoutesOf(app, 'Records')('/workspaces/:id/reach', { params: WorkspaceId }).post({
    id: 'reach',
    summary: 'Put a new record into a state',
    description:
      'Plans the shortest legal way of calls, triggers and clock moves, makes its steps, and returns them as code. Records that it needs are made, too; existing ones stay as they are, unless the clock must move.',
    body: Reach,
    before: workspaceMustExist,
    answers: { 200: Reached },
    addsData: true,
    refuses: ['no_way'],
    async run({ target: workspace, body, headers }) {
      const { record: wanted, state, fields = {} } = body
      const { machine, set, column } = targets.get(wanted) ?? unknownRecord(wanted, [...targets.keys()])
      const plan = planOf(machine, state, workspace, fields as SentFields)
      if (!plan || !set) return noWay(wanted, machine, state)
      const { id, way, read } = await walk(context, workspace, sectionOf(set), plan, headers.authorization)
      const row = id === undefined ? undefined : context.records.one(workspace, set, id)
      const reached = row && String(row[column])
      if (reached !== state)
        refuse(
          'no_way',
          `The record of ${wanted} is ${reached ?? 'gone'} after ${counted(way.length, 'step')}, not ${state}. The fields, the faults or the settings of the workspace lead elsewhere.`,
        )
      return { record: read ?? row, state, way }
    },
  })
}

/** Returns the targets by the names of their sections and machines. */
function targetsOf({ records, machines }: ControlContext): Map<string, Target> {
  const ofSets = records.sets.flatMap((set) =>
    machinesOfTable(set.table).flatMap(([column, machine]): [string, Target][] => {
      const target = { machine, column, set }
      return [
        [sectionOf(set), target],
        [machine.name, target],
      ]
    }),
  )
  const others = machines.map((machine): [string, Target] => [
    machine.name,
    { machine, column: '', set: null },
  ])
  return new Map([...others, ...ofSets])
}

function unknownRecord(wanted: string, known: readonly string[]): never {
  const near = nearestName(wanted, known)
  return refuse(
    'no_way',
    `There is no state machine for ${wanted}; ${near === null ? `use one of ${known.join(', ')}` : `did you mean ${near}?`}`,
  )
}

function noWay(
  wanted: string,
  { states, reach: { unreached } = { made: {} } }: Machine,
  state: string,
): never {
  // `suite-sim reach` asks so for the states.
  if (state === '') refuse('no_way', `${wanted}: ${states.join(', ')}`)
  const why = unreached?.[state]
  if (why !== undefined) refuse('no_way', `No way leads to a record of ${wanted} that is ${state}: ${why}.`)
  const near = nearestName(state, states)
  return refuse(
    'no_way',
    states.includes(state)
      ? `No way leads to a record of ${wanted} that is ${state} under the readings of the workspace.`
      : `${wanted} has no state ${state}; ${near === null ? `use one of ${states.join(', ')}` : `did you mean ${near}?`}`,
  )
}
