/** The scenarios of all interfaces. */
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Scenarios } from '../scenario.ts'
import { catalogScenarios } from './catalog.ts'
import { conversationsScenarios } from './conversations.ts'
import { crmScenarios } from './crm.ts'
import { formsScenarios } from './forms.ts'
import { integrationPaymentsScenarios } from './integrationPayments.ts'
import { liteInvoicingScenarios } from './liteInvoicing.ts'
import { meetingsScenarios } from './meetings.ts'
import { paymentsScenarios } from './payments.ts'
import { posScenarios } from './pos.ts'
import { recruitingScenarios } from './recruiting.ts'
import { signageScenarios } from './signage.ts'
import { taxInvoicingScenarios } from './taxInvoicing.ts'

const ALL = [
  catalogScenarios,
  conversationsScenarios,
  crmScenarios,
  formsScenarios,
  integrationPaymentsScenarios,
  liteInvoicingScenarios,
  meetingsScenarios,
  paymentsScenarios,
  posScenarios,
  recruitingScenarios,
  signageScenarios,
  taxInvoicingScenarios,
]

/** Returns the scenarios of an interface; none if it has none yet. */
const scenariosOf = (name: InterfaceName): Scenarios =>
  ALL.find((each) => each.interface === name) ?? { interface: name, scenarios: [], uncovered: {} }

export const SCENARIOS = Object.fromEntries(
  INTERFACE_NAMES.map((name) => [name, scenariosOf(name)]),
) as Readonly<Record<InterfaceName, Scenarios>>
