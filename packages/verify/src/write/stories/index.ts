/** The stories of all interfaces. */
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Stories } from '../story.ts'
import { catalogStories } from './catalog.ts'
import { conversationsStories } from './conversations.ts'
import { crmStories } from './crm.ts'
import { formsStories } from './forms.ts'
import { integrationPaymentsStories } from './integrationPayments.ts'
import { liteInvoicingStories } from './liteInvoicing.ts'
import { meetingsStories } from './meetings.ts'
import { paymentsStories } from './payments.ts'
import { posStories } from './pos.ts'
import { recruitingStories } from './recruiting.ts'
import { signageStories } from './signage.ts'
import { taxInvoicingStories } from './taxInvoicing.ts'

const ALL = [
  catalogStories,
  conversationsStories,
  crmStories,
  formsStories,
  integrationPaymentsStories,
  liteInvoicingStories,
  meetingsStories,
  paymentsStories,
  posStories,
  recruitingStories,
  signageStories,
  taxInvoicingStories,
]

/** Returns the stories of an interface; none if it has none yet. */
const storiesOf = (name: InterfaceName): Stories =>
  ALL.find((each) => each.interface === name) ?? { interface: name, stories: [], uncovered: {} }

export const STORIES = Object.fromEntries(INTERFACE_NAMES.map((name) => [name, storiesOf(name)])) as Readonly<
  Record<InterfaceName, Stories>
>
