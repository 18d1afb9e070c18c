/** The routes, pages, events and triggers of recruiting. Specification part 1, "Recruiting". */
import type { Wire } from '../../http/definition/definition.ts'
import { analytics } from './analytics.ts'
import { candidateImport } from './candidateImport.ts'
import { candidates } from './candidates.ts'
import { recruitingDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { interviews } from './interviews.ts'
import { jobPages } from './jobPages.ts'
import { recruitingTriggers } from './triggers.ts'
import { vacancies } from './vacancies.ts'

export const wire: Wire = {
  dialect: recruitingDialect,
  resources: [vacancies, candidates, candidateImport, interviews, analytics],
  pages: jobPages,
  events: publishedEvents,
  triggers: recruitingTriggers,
}
