/** The registry of taxpayers. Specification part 2, "Lite invoicing": the lookup by RUC and type, not the registration. */
import { record } from '../storage/records/record.ts'
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { normalRuc, parseRuc, type Ruc } from './ruc.ts'
import { taxpayers as table } from './tables.ts'

export type Taxpayer = typeof table.$inferSelect

export const RUC_RULE = 'must be a RUC such as 8-442-445, PE-10-442 or 155700001-2-2021'

export const taxpayers = record(table, {
  noun: 'taxpayer',
  normal: ({ ruc }) => ({ ruc: normalRuc(ruc) }),
  derived: { dv: ({ ruc }) => parseRuc(ruc)?.dv ?? 0 },
  snapshot: {
    section: 'lite-invoicing',
    name: 'taxpayers',
    check: ({ ruc, type }) => {
      rucOfType(ruc, type)
    },
  },
})

const byRuc = taxpayers.by('ruc')

/** Returns the taxpayer with this RUC and type. Refuses with 404 if none exists. Ignores case and spaces of the RUC. */
export function taxpayerOf(workspace: Workspace, ruc: string, type: number): Taxpayer {
  const taxpayer = byRuc.find(workspace, normalRuc(ruc))
  if (taxpayer?.type === type) return taxpayer
  const kind = type === 1 ? 'natural person' : 'legal entity'
  return refuseCase('taxpayer_unknown', `The registry has no ${kind} with the RUC ${ruc}.`)
}

/** Parses a RUC. Refuses a text that is not a RUC, or whose type differs from `type`. */
function rucOfType(text: string, type: number): Ruc {
  const parsed = parseRuc(text)
  if (!parsed) refuseProperty('ruc', 'invalid_format', `{ruc} ${RUC_RULE}`)
  if (parsed.type !== type) {
    const expected =
      parsed.type === 1 ? '1 because {ruc} is of a natural person' : '2 because {ruc} is of a legal entity'
    refuseProperty('type', 'mismatch', `{type} must be ${expected}`)
  }
  return parsed
}

/** Registers a taxpayer. If the registry has the RUC already, updates the name. */
export function registerTaxpayer(
  workspace: Workspace,
  { ruc: sent, name, type }: Readonly<Pick<Taxpayer, 'ruc' | 'name' | 'type'>>,
): Taxpayer {
  const { ruc } = rucOfType(sent, type)
  return workspace.write(() => {
    const known = byRuc.find(workspace, ruc)
    if (known) return taxpayers.update(workspace, known, { name })
    const id = workspace.ids.nano('lite.taxpayer')
    return taxpayers.insert(workspace, { id, ruc, name, type, createdAt: workspace.now() })
  })
}
