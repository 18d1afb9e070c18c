/** The registry of taxpayers. Specification part 2, "Lite invoicing": the lookup by RUC and type, not the registration. */
import { and, eq, sql } from 'drizzle-orm'
import { refuseProperty } from '../model/refusal.ts'
import { normalRuc, readRuc, rucOfType, spellingsOf, type Ruc } from '../shared/ruc.ts'
import { isAmong, ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { taxpayers as table } from './tables.ts'

export type Taxpayer = typeof table.$inferSelect

export const RUC_RULE = 'must be a RUC such as 8-442-445, PE-10-442, 8-NT-1-13178 or 155700001-2-2021'

export const taxpayers = record(table, {
  noun: 'taxpayer',
  normal: ({ ruc, type }) => ({ ruc: rucOfType(ruc, type)?.ruc ?? normalRuc(ruc) }),
  derived: { dv: ({ ruc, type }) => rucOfType(ruc, type)?.dv ?? 0 },
  snapshot: {
    section: 'lite-invoicing',
    name: 'taxpayers',
    check: ({ ruc, type }) => {
      mustBeOfType(ruc, type)
    },
  },
})

const bySpelling = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), isAmong(table.ruc, 'spellings'), eq(table.type, sql.placeholder('type')))),
)

/** Finds a taxpayer by any spelling of its RUC, which earlier versions may have stored in another one. */
function findTaxpayer(workspace: Workspace, text: string, type: number): Taxpayer | undefined {
  const readings = readRuc(text).filter((reading) => reading.type === type)
  const spellings = readings.flatMap(({ ruc }) => spellingsOf(ruc))
  const found = bySpelling.all(workspace, { spellings: JSON.stringify(spellings), type })
  const rankOf = ({ ruc }: Taxpayer): number => spellings.indexOf(ruc)
  return found.sort((one, other) => rankOf(one) - rankOf(other))[0]
}

/** Returns the taxpayer with this RUC and type. Refuses with 404 if none exists. */
export function taxpayerOf(workspace: Workspace, ruc: string, type: number): Taxpayer {
  const found = findTaxpayer(workspace, ruc, type)
  if (found) return { ...found, ...rucOfType(found.ruc, type) }
  const kind = type === 1 ? 'natural person' : 'legal entity'
  return refuseCase('taxpayer_unknown', `The registry has no ${kind} with the RUC ${ruc}.`)
}

/** Parses a RUC. Refuses a text that is not a RUC, or not one of this type. */
function mustBeOfType(text: string, type: number): Ruc {
  const found = rucOfType(text, type)
  if (found) return found
  const [other] = readRuc(text)
  if (!other) refuseProperty('ruc', 'invalid_format', `{ruc} ${RUC_RULE}`)
  const expected =
    other.type === 1 ? '1 because {ruc} is of a natural person' : '2 because {ruc} is of a legal entity'
  return refuseProperty('type', 'mismatch', `{type} must be ${expected}`)
}

/** Registers a taxpayer. If the registry has the RUC with this type already, updates the name. */
export function registerTaxpayer(
  workspace: Workspace,
  { ruc: sent, name, type }: Readonly<Pick<Taxpayer, 'ruc' | 'name' | 'type'>>,
): Taxpayer {
  const { ruc } = mustBeOfType(sent, type)
  return workspace.write(() => {
    const known = findTaxpayer(workspace, sent, type)
    if (known) return taxpayers.update(workspace, known, { name })
    const id = workspace.ids.nano('lite.taxpayer')
    return taxpayers.insert(workspace, { id, ruc, name, type, createdAt: workspace.now() })
  })
}
