/** Wire shapes of candidates. Specification part 1, "Candidate, interview, evaluation", "Candidate stage", "Recruiting". */
import { Type } from '@sinclair/typebox'
import { Assumed, Currency, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { applicationMachine } from '../../../state/recruiting/machines.ts'
import { AVAILABILITIES } from '../../../state/recruiting/jsonColumns.ts'
import { NOTE_VISIBILITIES } from '../../../state/recruiting/tables.ts'
import { candidateQuery, DEMO_USER, Location, Modality, Money, SalaryPeriod, Years } from './common.ts'

const Stage = () => OneOf(applicationMachine.states, { examples: ['reviewing'] })

const MatchScore = () =>
  Assumed(
    'The specification shows no rule. In the simulator, skills count up to 60 (the share of the required skills), experience up to 25 (the share of the required years), and location up to 15 (the same city or remote work; 10 for the same country). A criterion that the vacancy lacks counts fully. The score is computed at the time of the application.',
    Type.Integer({ minimum: 0, maximum: 100, examples: [85] }),
  )

/** The fields of every candidate. */
const person = {
  id: Id('cand_'),
  name: Type.String({ examples: ['Rosa Medina'] }),
  email: Type.String({ format: 'email', examples: ['rosa.medina@example.com'] }),
  phone: Nullable(Type.String({ examples: ['+507 6000 0201'] })),
  location: Location(),
  experience_years: Nullable(Years()),
}

const profileUrl = {
  profile_url: Assumed(
    'The specification does not define the URL. In the simulator, it is the URL of GET /candidates/{candidate_id}.',
    Type.String({
      format: 'uri',
      examples: [`http://127.0.0.1:4012/recruiting/v1/candidates/cand_demo0000000000000001`],
    }),
  ),
}

export const CandidateItem = named(
  'CandidateItem',
  Type.Object({
    ...person,
    skills: Type.Array(Type.String(), { examples: [['upholstery', 'sewing']] }),
    stage: Stage(),
    match_score: MatchScore(),
    applied_at: Instant(),
    ...profileUrl,
  }),
)

export const FoundCandidate = named(
  'FoundCandidate',
  Assumed(
    'The specification does not show a response of the search. The simulator returns items like those in the list of a vacancy. Stage, score and time are those of the latest application, or null without an application.',
    Type.Object({
      ...person,
      skills: Type.Array(Type.String(), { examples: [['upholstery', 'sewing']] }),
      stage: Nullable(Stage()),
      match_score: Nullable(MatchScore()),
      applied_at: Nullable(Instant()),
      ...profileUrl,
    }),
  ),
)

const ChangeOfStage = Type.Object({
  previous_stage: Type.String(),
  new_stage: Type.String(),
  changed_at: Instant(),
  changed_by: Type.Object({ id: Type.String({ examples: [DEMO_USER] }), name: Nullable(Type.String()) }),
  notes: Nullable(Type.String()),
})

export const CandidateProfile = named(
  'CandidateProfile',
  Type.Object({
    ...person,
    availability: Nullable(OneOf(AVAILABILITIES)),
    preferred_modality: Nullable(Modality()),
    salary_expectation: Nullable(
      Type.Object({ min: Money(1300), currency: Currency(), period: SalaryPeriod() }),
    ),
    summary: Nullable(Type.String()),
    experience: Type.Array(
      Type.Object({
        company: Type.String(),
        title: Type.String(),
        period: Nullable(Type.String()),
        description: Nullable(Type.String()),
      }),
    ),
    education: Type.Array(
      Type.Object({
        institution: Type.String(),
        degree: Type.String(),
        year: Nullable(Type.Integer()),
      }),
    ),
    skills: Type.Object({ technical: Type.Array(Type.String()), soft: Type.Array(Type.String()) }),
    languages: Type.Array(Type.Object({ language: Type.String(), level: Type.String() })),
    documents: Type.Object({
      cv_url: Nullable(Type.String({ format: 'uri' })),
      portfolio_url: Nullable(Type.String({ format: 'uri' })),
      linkedin_url: Nullable(Type.String({ format: 'uri' })),
    }),
    tags: Type.Array(Type.String()),
    applications: Type.Array(
      Type.Object({
        vacancy_id: Id('vac_'),
        vacancy_title: Type.String(),
        stage: Stage(),
        applied_at: Instant(),
        stage_history: Assumed(
          'The specification does not show the history of stages. The simulator returns the last 50 changes, newest first.',
          Type.Array(ChangeOfStage),
        ),
      }),
      { description: 'Newest first.' },
    ),
    created_at: Instant(),
  }),
)

export const CandidateId = Type.Object({ candidate_id: Id('cand_') })

export const CandidateOfVacancy = Type.Object({ vacancy_id: Id('vac_'), candidate_id: Id('cand_') })

export const CandidateQuery = Type.Object({
  ...pageQuery,
  stage: Type.Optional(OneOf(applicationMachine.states)),
  ...candidateQuery,
  sort_by: OneOf(['applied_at', 'name', 'experience', 'match_score'], { default: 'applied_at' }),
  sort_order: OneOf(['asc', 'desc'], { default: 'desc' }),
})

export const SearchQuery = Type.Object({
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Matches name, e-mail, phone, summary, skills and past jobs. Ignores case and accents (assumed).',
    }),
  ),
  ...candidateQuery,
  availability: Type.Optional(OneOf(AVAILABILITIES)),
  tags: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Separated by commas. A candidate must have all of them (assumed).',
    }),
  ),
})

export const StageMove = named(
  'StageMove',
  Type.Object({
    stage: Stage(),
    notes: Type.Optional(
      Nullable(
        Assumed(
          'The specification does not show a length.',
          Type.String({ maxLength: 5000, examples: ['Good work samples'] }),
        ),
      ),
    ),
    notify_candidate: Type.Boolean({
      default: false,
      description: 'Whether to send the candidate an e-mail.',
      examples: [true],
    }),
  }),
)

export const StageMoved = named(
  'StageMoved',
  Type.Object({
    previous_stage: Stage(),
    new_stage: Stage(),
    changed_at: Instant(),
    changed_by: Assumed(
      'The specification does not show the form of a user. The simulator returns the id.',
      Type.String({ examples: [DEMO_USER] }),
    ),
    notification_sent: Type.Boolean(),
  }),
)

const visibilityWhy =
  'The specification shows only team. The value private is assumed, as its usual counterpart.'

export const NoteCreate = named(
  'CandidateNoteCreate',
  Type.Object({
    content: Assumed('The specification does not show a length.', Text(10_000, 'Answers within the hour.')),
    visibility: Assumed(visibilityWhy, OneOf(NOTE_VISIBILITIES, { default: 'team' })),
  }),
)

export const Note = named(
  'CandidateNote',
  Assumed(
    'The specification does not show a response. The simulator returns the note with its author.',
    Type.Object({
      id: Id('note_'),
      candidate_id: Id('cand_'),
      content: Type.String(),
      visibility: OneOf(NOTE_VISIBILITIES),
      author: Type.Object({ id: Type.String({ examples: [DEMO_USER] }), name: Nullable(Type.String()) }),
      created_at: Instant(),
    }),
  ),
)
