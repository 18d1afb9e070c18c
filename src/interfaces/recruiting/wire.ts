/** The routes, pages, events and triggers of recruiting. Specification part 1, "Recruiting". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { analytics } from './analytics.ts'
import { candidateImport } from './candidateImport.ts'
import { candidates } from './candidates.ts'
import { recruitingDialect } from './dialect.ts'
import { events } from './events.ts'
import { interviews } from './interviews.ts'
import { jobPages } from './jobPages.ts'
import * as payloads from './payloads.ts'
import { recruitingTriggers } from './triggers.ts'
import { vacancies } from './vacancies.ts'

export const wire: Wire = {
  dialect: recruitingDialect,
  resources: [vacancies, candidates, candidateImport, interviews, analytics],
  pages: jobPages,
  events: publish(events, payloads),
  triggers: recruitingTriggers,
}
