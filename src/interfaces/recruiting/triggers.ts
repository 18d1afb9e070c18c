/** The triggers of recruiting, which simulate candidates and interviewers. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { Id, Text } from '../../http/schemas/wireShapes.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { apply } from '../../state/recruiting/applications.ts'
import { interviews } from '../../state/recruiting/interviews.ts'
import { applicationMachine } from '../../state/recruiting/machines.ts'
import { moveInterview } from '../../state/recruiting/scheduling.ts'
import { countViews, vacancies } from '../../state/recruiting/vacancies.ts'
import { Email, SentLocation, Words, Years } from './shapes/common.ts'
import { Interview } from './shapes/interviews.ts'

const ofInterview = (move: 'confirm' | 'start' | 'complete', summary: string) =>
  trigger({
    name: `recruiting.interview.${move}`,
    summary,
    body: Type.Object({ interview_id: Id('int_') }),
    records: { interview_id: 'recruiting.interviews' },
    result: Interview.item,
    fidelity: assumed(
      'The specification shows the states of an interview, but not what causes the transitions. The trigger causes one.',
    ),
    run: (workspace, { interview_id: id }) =>
      Interview.view(moveInterview(workspace, interviews.get(workspace, id), move), workspace),
  })

export const recruitingTriggers = [
  trigger({
    name: 'recruiting.candidate.apply',
    summary: 'Apply for a published vacancy, as a candidate does on its page.',
    body: Type.Object({
      vacancy_id: Id('vac_'),
      name: Text(200, 'Pablo Quintero'),
      email: Email('pablo.quintero@example.com', {
        description:
          'Identifies the candidate: an application with a known address is merged into the existing candidate, also a second one for the same vacancy, which stays one application (assumed).',
      }),
      phone: Type.Optional(Nullable(Type.String({ maxLength: 40, examples: ['+507 6000 0250'] }))),
      location: Type.Optional(Nullable(SentLocation())),
      experience_years: Type.Optional(Nullable(Years())),
      skills: Type.Optional(Words(50, ['upholstery', 'sewing'])),
      source: Type.Optional(Nullable(Text(50, 'job_board', { description: 'Default: direct.' }))),
    }),
    records: { vacancy_id: 'recruiting.vacancies' },
    result: Type.Object({
      candidate_id: Id('cand_'),
      vacancy_id: Id('vac_'),
      stage: OneOf(applicationMachine.states),
      match_score: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    fidelity: assumed(
      'The specification shows candidates, but not how they apply. The simulator sends the candidate a confirmation by e-mail for each application. Imported candidates receive none.',
    ),
    run(workspace, { vacancy_id: vacancyId, location, experience_years: years, skills, ...rest }) {
      const { name, email, phone, source } = rest
      const { application } = apply(workspace, vacancies.get(workspace, vacancyId), {
        name,
        email,
        ...(phone !== undefined && { phone }),
        ...(location !== undefined && { country: location?.country ?? null, city: location?.city ?? null }),
        ...(years !== undefined && { experienceYears: years }),
        ...(skills !== undefined && { technicalSkills: skills }),
        ...(source !== undefined && { source }),
      })
      return {
        candidate_id: application.candidateId,
        vacancy_id: vacancyId,
        stage: application.stage,
        match_score: application.matchScore,
      }
    },
  }),
  trigger({
    name: 'recruiting.vacancy.view',
    summary: 'Add views to the page of a vacancy.',
    body: Type.Object({
      vacancy_id: Id('vac_'),
      count: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The number of views. Default: 1.' }),
      ),
    }),
    records: { vacancy_id: 'recruiting.vacancies' },
    result: Type.Object({ vacancy_id: Id('vac_'), views_count: Type.Integer({ minimum: 0 }) }),
    fidelity: assumed(
      'The specification shows views_count, but not what it counts. The simulator counts views of the page.',
    ),
    run(workspace, { vacancy_id: id, count = 1 }) {
      const { viewsCount } = countViews(workspace, vacancies.get(workspace, id), count)
      return { vacancy_id: id, views_count: viewsCount }
    },
  }),
  ofInterview('confirm', 'Confirm an interview for all participants.'),
  ofInterview('start', 'Start an interview.'),
  ofInterview('complete', 'Complete an interview.'),
]
