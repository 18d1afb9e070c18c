/** How the answers of an interface become records of a snapshot. */
import type { InterfaceName } from '../../../state/model/interfaceNames.ts'
import { catalog } from './catalog.ts'
import { conversations } from './conversations.ts'
import { crm } from './crm.ts'
import { integrationPayments } from './integrationPayments.ts'
import type { Loader } from './loader.ts'
import { payments } from './payments.ts'
import { pos } from './pos.ts'
import { signage } from './signage.ts'
import { taxInvoicing } from './taxInvoicing.ts'

export const LOADERS: Readonly<Partial<Record<InterfaceName, Loader>>> = {
  catalog,
  crm,
  signage,
  payments,
  'integration-payments': integrationPayments,
  pos,
  'tax-invoicing': taxInvoicing,
  conversations,
}
