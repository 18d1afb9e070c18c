/** How the answers of an interface become records of a snapshot. */
import type { InterfaceName } from '../../../state/model/interfaceNames.ts'
import { crm } from './crm.ts'
import type { Loader } from './loader.ts'
import { payments } from './payments.ts'

export const LOADERS: Readonly<Partial<Record<InterfaceName, Loader>>> = { crm, payments }
