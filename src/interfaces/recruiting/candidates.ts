/** Candidates. Specification part 1, "Recruiting", "Candidate stage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { filteredText, type NamedKind } from '../../http/lifecycle/namedRecords.ts'
import { checkFirst } from '../../http/definition/operation.ts'
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
  rendering: CandidateItem.rendering(),
  sort: 'applied_at',
  meta: pageMeta,
})

const foundCandidates = numberedCollection({
  records: candidateRecords,
  rendering: FoundCandidate.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const profileText = CandidateProfile.rendering()

const tags: NamedKind = {
  ...filteredText('tag', candidateRecords, 'tags'),
  namesIn: (sent) =>
    sent
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
}

export const candidates: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Candidates' })

  at('/vacancies/:vacancy_id/candidates', { params: VacancyId }).get({
    id: 'listCandidatesOfVacancy',
    summary: 'List the candidates of a vacancy',
    scope: 'candidates:read',
    fidelity: documentedBut('Assumed: by default, the newest application comes first.'),
    query: CandidateQuery,
    before: checkFirst<{ vacancy_id: string }>(({ workspace }, params) =>
      vacancyRecords.getHead(workspace, params.vacancy_id),
    ),
    answers: { 200: PageOf(CandidateItem.item) },
    run: ({ params, query: { page, per_page, sort_by, sort_order, ...filters }, caller }) =>
      candidatesOfVacancy.page(
        caller,
        { page, per_page, sort_by, sort_order },
        { vacancy_id: params.vacancy_id, ...filters },
      ),
  })

  at('/candidates/:candidate_id', { params: CandidateId, record: candidateRecords }).get({
    id: 'getCandidate',
    summary: 'Get the profile of a candidate',
    scope: 'candidates:read',
    fidelity: documentedBut('Assumed: the response has no envelope.'),
    answers: { 200: CandidateProfile.item },
    run: ({ record: candidate, workspace }) => profileText.one(workspace, candidate),
  })

  at('/vacancies/:vacancy_id/candidates/:candidate_id/stage', { params: CandidateOfVacancy }).post({
    id: 'setCandidateStage',
    summary: 'Move a candidate to a stage',
    scope: 'candidates:write',
    fidelity: documentedBut(
      'Assumed: any stage can follow any other. Setting the current stage only adds its notes to stage_history; it sends no event and no notification.',
    ),
    body: StageMove,
    before: checkFirst<Static<typeof CandidateOfVacancy>>(({ workspace }, params) =>
      mustHaveApplied(workspace, ...ofPath(workspace, params)),
    ),
    answers: { 200: StageMoved },
    run({ params, body, workspace, caller }) {
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
  })

  at('/candidates/:candidate_id/notes', { params: CandidateId, record: candidateRecords }).post({
    id: 'addCandidateNote',
    summary: 'Add a note about a candidate',
    scope: 'candidates:write',
    fidelity: assumed(
      'The specification shows the body, but no status and no response. The simulator returns 201 and the note.',
    ),
    body: Note.create,
    answers: { 201: Note.item },
    run: ({ record: candidate, body, workspace, caller }) =>
      Note.view(addNote(workspace, candidate, caller.user, body), workspace),
  })

  at('/candidates/search').get({
    id: 'searchCandidates',
    summary: 'Search the candidates of all vacancies',
    scope: 'candidates:read',
    fidelity: documentedBut('Assumed: a candidate must match all filters. The newest candidate comes first.'),
    names: { tags },
    query: SearchQuery,
    answers: {
      200: Assumed(
        'The specification does not show the response. The simulator returns pages of items like those in the list of a vacancy. Stage, score and time are those of the latest application, or null without an application.',
        PageOf(FoundCandidate.item),
      ),
    },
    run: ({ query: { page, per_page, ...filters }, caller }) =>
      foundCandidates.page(caller, { page, per_page }, filters),
  })
}

const ofPath = (
  workspace: Parameters<typeof vacancyRecords.get>[0],
  { vacancy_id, candidate_id }: Static<typeof CandidateOfVacancy>,
) => [vacancyRecords.get(workspace, vacancy_id), candidateRecords.get(workspace, candidate_id)] as const
