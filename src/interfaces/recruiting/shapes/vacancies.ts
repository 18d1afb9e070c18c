/** Wire shapes of vacancies. Specification part 1, "Vacancy (recruiting)", "Recruiting". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  Currency,
  Instant,
  Int,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { MAX_LENGTH, MAX_COUNT, MAX_OPENINGS } from '../../../state/recruiting/limits.ts'
import { vacancyMachine } from '../../../state/recruiting/machines.ts'
import { CONTRACT_TYPES, LEVELS, VISIBILITIES } from '../../../state/recruiting/tables.ts'
import {
  Country,
  Location,
  Modality,
  Money,
  SalaryPeriod,
  SentLocation,
  Texts,
  Words,
  Years,
} from './common.ts'

const lengths = 'The specification does not show lengths.'
const levels = 'The specification shows only senior and mid. The other values are assumed.'
const visibilities =
  'The specification shows only public. The value internal is assumed: such a vacancy has no public page.'

const title = Assumed(lengths, Text(MAX_LENGTH.title, 'Senior upholsterer'))

const department = Nullable(Assumed(lengths, Text(MAX_LENGTH.department, 'Workshop')))
const description = Nullable(
  Assumed(
    lengths,
    Type.String({
      maxLength: MAX_LENGTH.description,
      examples: ['You build and repair the seats that we sell.'],
    }),
  ),
)
const texts = {
  responsibilities: Assumed(
    lengths,
    Texts(MAX_COUNT.points, MAX_LENGTH.point, ['Upholster chairs and sofas']),
  ),
  benefits: Assumed(lengths, Texts(MAX_COUNT.points, MAX_LENGTH.point, ['Health insurance'])),
  skills: Assumed(
    'The specification shows strings. Assumed: a skill is one line without a comma, because the filter separates skills by commas.',
    Words(MAX_COUNT.words, ['upholstery', 'sewing']),
  ),
}

const Requirements = () =>
  Type.Object({
    mandatory: Assumed(lengths, Texts(MAX_COUNT.points, MAX_LENGTH.point, ['Three years in a workshop'])),
    desirable: Assumed(lengths, Texts(MAX_COUNT.points, MAX_LENGTH.point, ['Experience with leather'])),
  })

const openings = () => Int({ minimum: 1, maximum: MAX_OPENINGS, examples: [2] })

const choices = {
  modality: Nullable(Modality()),
  contract_type: Nullable(OneOf(CONTRACT_TYPES)),
  level: Nullable(Assumed(levels, OneOf(LEVELS, { examples: ['senior'] }))),
  min_experience_years: Nullable(Years({ examples: [3] })),
}

const SentSalaryRange = () =>
  Type.Object({
    min: Type.Optional(Nullable(Money(1200))),
    max: Type.Optional(Nullable(Money(1600))),
    currency: Type.Optional(Currency({ maxLength: 3, description: 'Default: that of the workspace.' })),
    period: Type.Optional(SalaryPeriod()),
    visible: Type.Optional(
      Type.Boolean({
        description: 'Whether every caller can see the amounts. Default: true.',
        examples: [true],
      }),
    ),
  })

const closesAt = () =>
  Nullable(
    SentEnd({
      maxLength: 40,
      description: 'Must be in the future. The vacancy is closed at that time (assumed).',
      examples: ['2031-01-31'],
    }),
  )

/** The fields of a vacancy in request bodies, without title and status. */
const sent = {
  department,
  description,
  ...texts,
  requirements: Type.Partial(Requirements()),
  location: Nullable(SentLocation()),
  ...choices,
  salary_range: Nullable(SentSalaryRange()),
  openings: openings(),
  visibility: Assumed(visibilities, OneOf(VISIBILITIES, { examples: ['public'] })),
  closes_at: closesAt(),
}

export const VacancyCreate = named(
  'VacancyCreate',
  Type.Object({
    title,
    ...Type.Partial(Type.Object(sent)).properties,
    status: OneOf(vacancyMachine.initial, { default: 'draft' }),
  }),
)

export const VacancyUpdate = named(
  'VacancyUpdate',
  Type.Partial(
    Type.Object({
      title,
      ...sent,
      status: OneOf(vacancyMachine.states, {
        description: 'Has the same effect as POST /vacancies/{vacancy_id}/status.',
        examples: ['draft'],
      }),
    }),
    { examples: [{ description: 'You build and repair the seats that we sell and rent out.', openings: 3 }] },
  ),
)

export const Vacancy = named(
  'Vacancy',
  Type.Object({
    id: Id('vac_'),
    title,
    slug: Type.String({ examples: ['senior-upholsterer'] }),
    department,
    description,
    responsibilities: texts.responsibilities,
    requirements: Requirements(),
    benefits: texts.benefits,
    skills: texts.skills,
    location: Location(),
    ...choices,
    salary_range: Nullable(
      Type.Object(
        {
          min: Nullable(Money(1200)),
          max: Nullable(Money(1600)),
          currency: Currency(),
          period: SalaryPeriod(),
          visible: Type.Boolean(),
        },
        {
          description:
            'If visible is false, min and max are null for keys without the permission vacancies:write, and the page of the vacancy does not show the salary (assumed).',
        },
      ),
    ),
    openings: openings(),
    visibility: Assumed(visibilities, OneOf(VISIBILITIES)),
    status: OneOf(vacancyMachine.states),
    applications_count: Type.Integer({ minimum: 0 }),
    views_count: Type.Integer({ minimum: 0 }),
    public_url: Assumed(
      'The specification shows a slug, but no URL. In the simulator, candidates can apply on this page while the vacancy is published and public.',
      Type.String({
        format: 'uri',
        examples: ['http://127.0.0.1:4012/recruiting/jobs/demo/senior-upholsterer'],
      }),
    ),
    published_at: Nullable(Instant()),
    closes_at: Nullable(Instant()),
    created_at: Instant(),
    updated_at: Instant(),
  }),
)

/** The response to the creation of a vacancy. */
export const CreatedVacancy = named(
  'CreatedVacancy',
  Type.Pick(Vacancy, ['id', 'title', 'slug', 'status', 'created_at']),
)

export const VacancyId = Type.Object({ vacancy_id: Id('vac_') })

/** The path parameter with a draft as its example. */
export const DraftId = Type.Object({ vacancy_id: Id('vac_', { examples: [demoId('vac_', 4)] }) })

/** The request body that sets the status of a vacancy. */
export const StatusChange = named(
  'VacancyStatusChange',
  Type.Object({
    status: OneOf(vacancyMachine.states, { examples: ['published'] }),
    reason: Type.Optional(
      Nullable(Assumed(lengths, Type.String({ maxLength: 2000, examples: ['The budget is approved'] }))),
    ),
  }),
)

export const StatusChanged = named(
  'VacancyStatusChanged',
  Assumed(
    'The specification does not show a response. The simulator returns the change.',
    Type.Object({
      id: Id('vac_'),
      previous_status: OneOf(vacancyMachine.states),
      status: OneOf(vacancyMachine.states),
      reason: Nullable(Type.String()),
      changed_at: Instant(),
    }),
  ),
)

export const VacancyQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(vacancyMachine.states)),
  department: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Must match the whole name. Ignores case and accents (assumed).',
    }),
  ),
  modality: Type.Optional(Modality()),
  contract_type: Type.Optional(OneOf(CONTRACT_TYPES)),
  location_country: Type.Optional(Country()),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Matches title, department, description, skills and city. Ignores case and accents (assumed).',
    }),
  ),
  created_from: Type.Optional(
    SentInstant({ maxLength: 40, description: 'Matches vacancies created at this time or later.' }),
  ),
  created_to: Type.Optional(
    SentEnd({ maxLength: 40, description: 'Matches vacancies created at this time or earlier.' }),
  ),
})
