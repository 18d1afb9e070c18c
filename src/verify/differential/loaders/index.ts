/** How the answers of an interface become records of a snapshot. */
import type { InterfaceName } from '../../../state/model/interfaceNames.ts'
import { catalog } from './catalog.ts'
import { crm } from './crm.ts'
import { forms } from './forms.ts'
import { integrationPayments } from './integrationPayments.ts'
import { liteInvoicing } from './liteInvoicing.ts'
import type { Loader } from './loader.ts'
import { meetings } from './meetings.ts'
import { payments } from './payments.ts'
import { pos } from './pos.ts'
import { recruiting } from './recruiting.ts'
import { signage } from './signage.ts'

export const LOADERS: Readonly<Partial<Record<InterfaceName, Loader>>> = {
  catalog,
  crm,
  forms,
  'integration-payments': integrationPayments,
  'lite-invoicing': liteInvoicing,
  meetings,
  payments,
  pos,
  recruiting,
  signage,
}

/** The operations that a loader needs for every record: "forms getForm". */
export const NEEDED: ReadonlySet<string> = new Set(
  Object.entries(LOADERS).flatMap(([name, { needs = [] }]) => needs.map((id) => `${name} ${id}`)),
)
