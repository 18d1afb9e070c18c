/** Vacancies. Candidates come by import or by their own application, and no call deletes them. */
import { NAME, type Scenarios } from '../scenario.ts'

const VACANCY = { vacancy_id: '{vacancy}' }

const CANDIDATE = 'it needs a candidate, and no call deletes one'

const to = (status: string, move: string) => ({
  operation: 'setVacancyStatus',
  path: VACANCY,
  body: { status },
  moves: `recruiting.vacancy ${move}`,
})

export const recruitingScenarios: Scenarios = {
  interface: 'recruiting',
  scenarios: [
    {
      resource: 'vacancies',
      sideEffect: 'A published vacancy is internal, but people of the account can see it for some seconds.',
      steps: [
        {
          operation: 'createVacancy',
          body: {
            title: NAME,
            department: 'Verification',
            description: 'A vacancy of suite-sim verify',
            skills: ['patience'],
            location: { country: 'PA', city: 'Panama City' },
            modality: 'remote',
            contract_type: 'project',
            visibility: 'internal',
            status: 'draft',
            openings: 1,
            closes_at: '2031-01-31',
          },
          save: { vacancy: 'id' },
          creates: {
            id: 'vacancy',
            // Only a vacancy that is not open can be deleted.
            undo: {
              operation: 'deleteVacancy',
              path: VACANCY,
              prepare: { operation: 'setVacancyStatus', body: { status: 'draft' } },
            },
            find: { operation: 'listVacancies', query: { search: '{run}' } },
          },
        },
        { operation: 'getVacancy', path: VACANCY },
        { operation: 'listVacancies', query: { search: '{run}' }, rows: '{vacancy}' },
        { operation: 'updateVacancy', path: VACANCY, body: { openings: 2 } },
        { operation: 'updateVacancy', path: VACANCY, body: { openings: 0 }, refused: 422 },
        { operation: 'createVacancy', body: { title: NAME, openings: 0 }, refused: 422 },
        to('published', 'publish'),
        to('paused', 'pause'),
        to('in_process', 'begin_process'),
        to('closed', 'close'),
        to('archived', 'archive'),
        to('draft', 'redraft'),
        { operation: 'setVacancyStatus', path: VACANCY, body: { status: 'lost' }, refused: 422 },
        { operation: 'listCandidatesOfVacancy', path: VACANCY },
        { operation: 'deleteVacancy', path: VACANCY },
        { operation: 'getVacancy', path: VACANCY, refused: 404 },
      ],
    },
  ],
  uncovered: {
    setCandidateStage: CANDIDATE,
    addCandidateNote: CANDIDATE,
    importCandidates: 'no call deletes the candidates of an import',
    scheduleInterview: CANDIDATE,
    rescheduleInterview: CANDIDATE,
    cancelInterview: CANDIDATE,
    evaluateInterview: CANDIDATE,
  },
}
