/** Vacancies. Specification part 1, "Recruiting", "Vacancy status"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT, noContent } from '../../http/definition/operation.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { instantOf, iso, lastInstantOf } from '@suite-sim/kit/time/instants'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { deleteVacancy as deletionResponse, vacancyStatus } from '../../state/recruiting/readings.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import {
  createVacancy,
  deleteVacancy,
  setVacancyStatus,
  updateVacancy,
  vacancies as vacancyRecords,
} from '../../state/recruiting/vacancies.ts'
import { PageOf, pageMeta } from './dialect.ts'
import {
  CreatedVacancy,
  Deleted,
  DraftId,
  FullVacancy,
  NewVacancy,
  parseVacancy,
  StatusChange,
  StatusChanged,
  Vacancy,
  VacancyId,
  VacancyQuery,
} from './shapes/vacancies.ts'

const collectionOf = (rendering: ReturnType<typeof Vacancy.rendering>) =>
  numberedCollection({ records: vacancyRecords, rendering, sort: 'created_at', meta: pageMeta })

const full = collectionOf(FullVacancy.rendering())
const forEverybody = collectionOf(Vacancy.rendering())

/** Hides salaries from callers without the permission to change vacancies. */
const collectionFor = ({ scopes }: Caller) =>
  scopes === null || scopes.has('vacancies:write') ? full : forEverybody

export const vacancies: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Vacancies' })
  const list = at('/vacancies')
  const item = at('/vacancies/:vacancy_id', { params: VacancyId, record: vacancyRecords })

  list.get({
    id: 'listVacancies',
    order: full.order,
    summary: 'List vacancies',
    scope: 'vacancies:read',
    fidelity: documentedBut('Assumed: the newest vacancy comes first. An item has all fields of a vacancy.'),
    query: VacancyQuery,
    answers: { 200: PageOf(Vacancy.item) },
    run({ query, workspace, caller }) {
      const { page, per_page, created_from: from, created_to: to, ...others } = query
      const filters = {
        ...others,
        created_from: from === undefined ? undefined : instantOf(from, workspace),
        created_to: to === undefined ? undefined : lastInstantOf(to, workspace),
      }
      return collectionFor(caller).page(caller, { page, per_page }, filters)
    },
  })

  item.get({
    id: 'getVacancy',
    summary: 'Get a vacancy',
    scope: 'vacancies:read',
    fidelity: documentedBut('Assumed: the response has no envelope, like that of the creation.'),
    answers: { 200: Vacancy.item },
    run: ({ params, workspace, caller }) => collectionFor(caller).get(workspace, params.vacancy_id),
  })

  list.post({
    id: 'createVacancy',
    summary: 'Create a vacancy',
    scope: 'vacancies:write',
    fidelity: documentedBut(
      'Assumed: only title is required. A vacancy is created as draft or published. The slug is derived from the title, is unique, and never changes.',
    ),
    body: NewVacancy.create,
    answers: { 201: CreatedVacancy.item },
    run({ body, workspace }) {
      const { title, status } = body
      const vacancy = createVacancy(workspace, { ...parseVacancy(workspace, body), title, status })
      return CreatedVacancy.view(vacancy, workspace)
    },
  })

  item.patch({
    id: 'updateVacancy',
    readings: [vacancyStatus],
    summary: 'Update a vacancy',
    description: 'Changes only the fields in the request body.',
    scope: 'vacancies:write',
    fidelity: documentedBut(
      'Assumed: null clears a nullable field. A list replaces the whole list. An update that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Vacancy.update,
    answers: {
      200: Assumed(
        'The specification does not show the response. The simulator returns the vacancy.',
        Vacancy.item,
      ),
    },
    refuses: ['wrong_state', 'conflict'],
    run({ record: vacancy, body, workspace, caller }) {
      const changed = updateVacancy(workspace, vacancy, parseVacancy(workspace, body, vacancy))
      return collectionFor(caller).text(workspace, changed)
    },
  })

  at('/vacancies/:vacancy_id/status', { params: DraftId, record: vacancyRecords }).post({
    id: 'setVacancyStatus',
    readings: [vacancyStatus],
    summary: 'Set the status of a vacancy',
    fidelity: assumed(
      'The specification shows the body, but no response and no allowed transitions. The simulator returns the change and allows the moves of the state machine recruiting.vacancy, on which the reading recruiting.vacancy_status decides. Returns 409 for any other status; under the default, setting the current status changes nothing.',
    ),
    body: StatusChange,
    answers: { 200: StatusChanged },
    refuses: ['wrong_state', 'conflict'],
    run({ record: before, body, workspace }) {
      const { status, reason = null } = body
      const changed = setVacancyStatus(workspace, before, status, reason)
      return {
        id: changed.id,
        previous_status: before.status,
        status: changed.status,
        reason,
        changed_at: iso(changed.updatedAt),
      }
    },
  })

  at('/vacancies/:vacancy_id', { params: DraftId, record: vacancyRecords }).delete({
    id: 'deleteVacancy',
    summary: 'Delete a vacancy',
    description: 'Deletes a draft without candidates. Close and archive any other vacancy instead.',
    scope: 'vacancies:write',
    fidelity: documentedBut(
      'Assumed: returns 409 for a vacancy that is no draft or has candidates, because the specification does not show the status of this error.',
    ),
    assumedStatus:
      'The specification shows neither the status nor the response. The simulator returns 204. The reading recruiting.delete_vacancy decides.',
    readings: [deletionResponse],
    answers: { ...NO_CONTENT, 200: Deleted },
    refuses: ['wrong_state', 'conflict'],
    run({ record, workspace }, reply) {
      deleteVacancy(workspace, record)
      return workspace.reading(deletionResponse) === '200' ? { success: true as const } : noContent(reply)
    },
  })
}
