/** Candidates. Specification part 1, "Recruiting", "Candidate stage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { filteredText, type NamedKind } from '../../http/lifecycle/namedRecords.ts'
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { addNote, moveStage, mustHaveApplied } from '../../state/recruiting/applications.ts'
import {
  candidates as candidateRecords,
  applications as applicationRecords,
} from '../../state/recruiting/candidates.ts'
import type { Stage } from '../../state/recruiting/machines.ts'
import { vacancies as vacancyRecords } from '../../state/recruiting/vacancies.ts'
import { PageOf, pageMeta } from './dialect.ts'
import {
  CandidateId,
  CandidateItem,
  CandidateOfVacancy,
  CandidateProfile,
  CandidateQuery,
  FoundCandidate,
  Note,
  SearchQuery,
  StageMove,
  StageMoved,
} from './shapes/candidates.ts'
import { VacancyId } from './shapes/vacancies.ts'

const candidatesOfVacancy = numberedCollection({
  records: applicationRecords,
  rendering: CandidateItem.rendering(applicationRecords),
  sort: 'applied_at',
  meta: pageMeta,
})

const foundCandidates = numberedCollection({
  records: candidateRecords,
  rendering: FoundCandidate.rendering(candidateRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const profileText = CandidateProfile.rendering(candidateRecords)

const candidateOperation = operationsOf({ tag: 'Candidates' })

const tags: NamedKind = {
  ...filteredText('tag', candidateRecords, 'tags'),
  namesIn: (sent) =>
    sent
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
}

export const candidates: Resource = async (app) => {
  app.get(
    '/vacancies/:vacancy_id/candidates',
    {
      preValidation: checkFirst<{ vacancy_id: string }>(({ workspace }, params) =>
        vacancyRecords.getHead(workspace, params.vacancy_id),
      ),
      schema: { params: VacancyId, querystring: CandidateQuery },
      config: candidateOperation({
        id: 'listCandidatesOfVacancy',
        summary: 'List the candidates of a vacancy',
        scope: 'candidates:read',
        fidelity: documentedBut('Assumed: by default, the newest application comes first.'),
        answers: { 200: PageOf(CandidateItem.item) },
      }),
    },
    ({ params, query: { page, per_page, sort_by, sort_order, ...filters }, caller }) =>
      candidatesOfVacancy.page(
        caller,
        { page, per_page, sort_by, sort_order },
        { vacancy_id: params.vacancy_id, ...filters },
      ),
  )

  app.get(
    '/candidates/:candidate_id',
    {
      schema: { params: CandidateId },
      config: candidateOperation({
        id: 'getCandidate',
        summary: 'Get the profile of a candidate',
        scope: 'candidates:read',
        fidelity: documentedBut('Assumed: the response has no envelope.'),
        answers: { 200: CandidateProfile.item },
      }),
    },
    ({ params: { candidate_id: id }, workspace }) =>
      profileText.find(workspace, id) ?? candidateRecords.noSuch(id),
  )

  app.post(
    '/vacancies/:vacancy_id/candidates/:candidate_id/stage',
    {
      preValidation: checkFirst<Static<typeof CandidateOfVacancy>>(({ workspace }, params) =>
        mustHaveApplied(workspace, ...ofPath(workspace, params)),
      ),
      schema: { params: CandidateOfVacancy, body: StageMove },
      config: candidateOperation({
        id: 'setCandidateStage',
        summary: 'Move a candidate to a stage',
        scope: 'candidates:write',
        fidelity: documentedBut(
          'Assumed: any stage can follow any other. Setting the current stage only adds its notes to stage_history; it sends no event and no notification.',
        ),
        answers: { 200: StageMoved },
      }),
    },
    ({ params, body, workspace, caller }) => {
      const [vacancy, candidate] = ofPath(workspace, params)
      const { stage, notes = null, notify_candidate: notify } = body
      const change = moveStage(workspace, vacancy, candidate, caller.user, { stage, notes, notify })
      return {
        previous_stage: change.previousStage as Stage,
        new_stage: change.newStage as Stage,
        changed_at: iso(change.changedAt),
        changed_by: change.changedBy,
        notification_sent: change.notificationSent,
      }
    },
  )

  app.post(
    '/candidates/:candidate_id/notes',
    {
      preValidation: mustExist,
      schema: { params: CandidateId, body: Note.create },
      config: candidateOperation({
        id: 'addCandidateNote',
        summary: 'Add a note about a candidate',
        scope: 'candidates:write',
        fidelity: assumed(
          'The specification shows the body, but no status and no response. The simulator returns 201 and the note.',
        ),
        answers: { 201: Note.item },
      }),
    },
    ({ params, body, workspace, caller }, reply) => {
      const candidate = candidateRecords.get(workspace, params.candidate_id)
      reply.code(201)
      return Note.view(addNote(workspace, candidate, caller.user, body), workspace)
    },
  )

  app.get(
    '/candidates/search',
    {
      schema: { querystring: SearchQuery },
      config: candidateOperation({
        id: 'searchCandidates',
        summary: 'Search the candidates of all vacancies',
        scope: 'candidates:read',
        fidelity: documentedBut(
          'Assumed: a candidate must match all filters. The newest candidate comes first.',
        ),
        names: { tags },
        answers: {
          200: Assumed(
            'The specification does not show the response. The simulator returns pages of items like those in the list of a vacancy. Stage, score and time are those of the latest application, or null without an application.',
            PageOf(FoundCandidate.item),
          ),
        },
      }),
    },
    ({ query: { page, per_page, ...filters }, caller }) =>
      foundCandidates.page(caller, { page, per_page }, filters),
  )
}

const mustExist = checkFirst<{ candidate_id: string }>(({ workspace }, params) =>
  candidateRecords.getHead(workspace, params.candidate_id),
)

const ofPath = (
  workspace: Parameters<typeof vacancyRecords.get>[0],
  { vacancy_id, candidate_id }: Static<typeof CandidateOfVacancy>,
) => [vacancyRecords.get(workspace, vacancy_id), candidateRecords.get(workspace, candidate_id)] as const
