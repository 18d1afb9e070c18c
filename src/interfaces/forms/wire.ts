/** The wire definition of forms. Specification part 1, "Forms". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { formsDialect } from './dialect.ts'
import { events } from './events.ts'
import { formPages } from './formPages.ts'
import { forms } from './forms.ts'
import * as payloads from './payloads.ts'
import { submit } from './submit.ts'
import { formTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: formsDialect,
  resources: [forms, submit],
  pages: formPages,
  events: publish(events, payloads),
  triggers: formTriggers,
}
