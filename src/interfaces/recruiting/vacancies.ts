/** Vacancies. Specification part 1, "Recruiting", "Vacancy status"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { fieldRendering } from '../../http/shapes/fields.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import { everyCallerIn } from '../../http/lists/responseCache.ts'
import { instantOf, iso, lastInstantOf } from '../../state/model/clock.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import {
  createVacancy,
  deleteVacancy,
  setVacancyStatus,
  updateVacancy,
  vacancies as vacancyRecords,
} from '../../state/recruiting/vacancies.ts'
import { vacancies as vacancyTable } from '../../state/recruiting/tables.ts'
import { PageOf, pageMeta } from './dialect.ts'
import {
  CreatedVacancy,
  DraftId,
  StatusChange,
  StatusChanged,
  Vacancy,
  VacancyCreate,
  VacancyId,
  VacancyQuery,
  VacancyUpdate,
} from './shapes/vacancies.ts'
import { fromWire } from './vacancyFields.ts'
import { createdVacancyView, vacancyFields, fullVacancyFields } from './views.ts'

const publicText = fieldRendering(vacancyTable, vacancyRecords, vacancyFields)
const wholeText = fieldRendering(vacancyTable, vacancyRecords, fullVacancyFields)

/** True if the caller can see hidden salaries, which requires the permission to change vacancies. */
const canSeeSalaries = ({ scopes }: Caller): boolean => scopes === null || scopes.has('vacancies:write')

const textFor = (caller: Caller) => (canSeeSalaries(caller) ? wholeText : publicText)

const vacancyOperation = operationsOf({ tag: 'Vacancies' })

export const vacancies: Resource = async (app) => {
  app.get(
    '/vacancies',
    {
      schema: { querystring: VacancyQuery },
      config: vacancyOperation({
        id: 'listVacancies',
        summary: 'List vacancies',
        scope: 'vacancies:read',
        fidelity: documentedBut(
          'Assumed: the newest vacancy comes first. An item has all fields of a vacancy.',
        ),
        answers: { 200: PageOf(Vacancy) },
      }),
    },
    ({ query, workspace, caller }) => {
      const { page, per_page: perPage, created_from: from, created_to: to, ...others } = query
      const filters = {
        ...others,
        created_from: from === undefined ? undefined : instantOf(from, workspace),
        created_to: to === undefined ? undefined : lastInstantOf(to, workspace),
      }
      return numberedPage(
        canSeeSalaries(caller) ? 'vacancies' : 'vacancies for everybody',
        vacancyRecords.list,
        textFor(caller),
        everyCallerIn(workspace),
        { page, perPage, sort: 'created_at', order: 'desc' },
        filters,
        pageMeta,
      )
    },
  )

  app.get(
    '/vacancies/:vacancy_id',
    {
      schema: { params: VacancyId },
      config: vacancyOperation({
        id: 'getVacancy',
        summary: 'Get a vacancy',
        scope: 'vacancies:read',
        fidelity: documentedBut('Assumed: the response has no envelope, like that of the creation.'),
        answers: { 200: Vacancy },
      }),
    },
    ({ params, workspace, caller }) =>
      textFor(caller).find(workspace, params.vacancy_id) ?? vacancyRecords.noSuch(params.vacancy_id),
  )

  app.post(
    '/vacancies',
    {
      schema: { body: VacancyCreate },
      config: vacancyOperation({
        id: 'createVacancy',
        summary: 'Create a vacancy',
        scope: 'vacancies:write',
        fidelity: documentedBut(
          'Assumed: only title is required. The default status is draft. The slug is derived from the title, is unique, and never changes.',
        ),
        answers: { 201: CreatedVacancy },
      }),
    },
    ({ body, workspace }, reply) => {
      const { title, status } = body
      const vacancy = createVacancy(workspace, { ...fromWire(workspace, body), title, status })
      reply.code(201)
      return createdVacancyView(vacancy, workspace)
    },
  )

  app.patch(
    '/vacancies/:vacancy_id',
    {
      preValidation: mustExist,
      schema: { params: VacancyId, body: VacancyUpdate },
      config: vacancyOperation({
        id: 'updateVacancy',
        summary: 'Update a vacancy',
        description: 'Changes only the fields in the request body.',
        scope: 'vacancies:write',
        fidelity: documentedBut(
          'Assumed: the response is the vacancy. null clears a nullable field. A list replaces the whole list. An update without fields changes nothing.',
        ),
        answers: { 200: Vacancy },
        refuses: ['wrong_state', 'conflict'],
      }),
    },
    ({ params, body, workspace, caller }) => {
      const vacancy = vacancyRecords.get(workspace, params.vacancy_id)
      const { status, ...fields } = body
      const changed = updateVacancy(workspace, vacancy, fromWire(workspace, fields, vacancy), status)
      return textFor(caller).one(workspace, changed)
    },
  )

  app.post(
    '/vacancies/:vacancy_id/status',
    {
      preValidation: mustExist,
      schema: { params: DraftId, body: StatusChange },
      config: vacancyOperation({
        id: 'setVacancyStatus',
        summary: 'Set the status of a vacancy',
        scope: 'vacancies:write',
        fidelity: assumed(
          'The specification shows the body, but no permission, no response and no allowed transitions. The simulator requires the permission of other changes, returns the change, and allows the moves of the state machine recruiting.vacancy. Returns 409 for any other status.',
        ),
        answers: { 200: StatusChanged },
        refuses: ['wrong_state', 'conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const before = vacancyRecords.get(workspace, params.vacancy_id)
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
  )

  app.delete(
    '/vacancies/:vacancy_id',
    {
      schema: { params: DraftId },
      config: vacancyOperation({
        id: 'deleteVacancy',
        summary: 'Delete a vacancy',
        description: 'Deletes a draft without candidates. Close and archive any other vacancy instead.',
        scope: 'vacancies:write',
        fidelity: documentedBut(
          'The specification does not show the status of the response or of a refusal. The simulator refuses with 409.',
        ),
        answers: NO_CONTENT,
        refuses: ['wrong_state', 'conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deleteVacancy(workspace, vacancyRecords.get(workspace, params.vacancy_id))
      noContent(reply)
    },
  )
}

/** Refuses an unknown vacancy before the body is validated. */
const mustExist = checkFirst<{ vacancy_id: string }>(({ workspace }, params) =>
  vacancyRecords.getHead(workspace, params.vacancy_id),
)
