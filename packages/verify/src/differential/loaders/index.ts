/** How the answers of an interface become records of a snapshot. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { catalog } from './catalog.ts'
import { conversations } from './conversations.ts'
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
import { taxInvoicing } from './taxInvoicing.ts'

/** An interface without a loader is compared by the other checks alone. */
export const LOADERS: Readonly<Partial<Record<InterfaceName, Loader>>> = {
  catalog,
  conversations,
  crm,
  forms,
  'integration-payments': integrationPayments,
  'lite-invoicing': liteInvoicing,
  meetings,
  payments,
  pos,
  recruiting,
  signage,
  'tax-invoicing': taxInvoicing,
}

/** The operations that a loader needs for every record, with the query: "conversations listConversations". */
export const NEEDED: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries(LOADERS).flatMap(([name, { needs = [] }]) =>
    needs.map((need) => {
      const [id = '', query = ''] = need.split('?')
      return [`${name} ${id}`, Object.fromEntries(new URLSearchParams(query))]
    }),
  ),
)
