/** Wire shapes of vacancies. Specification part 1, "Vacancy (recruiting)", "Recruiting". */
import { Type, type Static } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  Currency,
  Instant,
  named,
  Nullable,
  OneOf,
  SearchText,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { isoOrNull, lastInstantOf } from '@suite-sim/kit/time/instants'
import type { SalaryRange } from '../../../state/recruiting/jsonColumns.ts'
import { MAX_LENGTH, MAX_COUNT } from '../../../state/recruiting/limits.ts'
import { vacancyMachine } from '../../../state/recruiting/machines.ts'
import { CONTRACT_TYPES, vacancies } from '../../../state/recruiting/tables.ts'
import type { VacancyFields, Vacancy as VacancyRow } from '../../../state/recruiting/vacancies.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { pageAddress } from '../addresses.ts'
import {
  Country,
  Location,
  locationOf,
  Modality,
  Money,
  SalaryPeriod,
  SentLocation,
  Texts,
  Words,
} from './common.ts'

const Points = (example: string) => Texts(MAX_COUNT.points, MAX_LENGTH.point, [example])

const Requirements = () =>
  Type.Object({
    mandatory: Points('Three years in a workshop'),
    desirable: Points('Experience with leather'),
  })

const Range = () =>
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
  )

const SentRange = () =>
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

/** Removes the amounts of a salary that is not visible. */
const publicSalary = (range: SalaryRange | null): SalaryRange | null =>
  range === null || range.visible ? range : { ...range, min: null, max: null }

const filled = (example: string) => ({ 'x-wording': 'must not be blank', examples: [example] })

/** A vacancy for every caller. `parseVacancy` reads the fields with several columns. */
export const Vacancy = shape({ item: 'Vacancy', update: 'VacancyUpdate' }, vacancies, {
  fields: () => ({
    id: { schema: Id('vac_') },
    title: {
      sent: 'both',
      required: true,
      bounded: true,
      words: filled('Senior upholsterer'),
    },
    slug: { schema: Type.String({ examples: ['senior-upholsterer'] }) },
    department: { sent: 'both', bounded: true, words: filled('Workshop') },
    description: {
      sent: 'both',
      bounded: true,
      words: { examples: ['You build and repair the seats that we sell.'] },
    },
    responsibilities: { sent: 'both', schema: Points('Upholster chairs and sofas') },
    requirements: {
      ...made(Requirements(), [vacancies.mandatory, vacancies.desirable], ([mandatory, desirable]) => ({
        mandatory: [...mandatory],
        desirable: [...desirable],
      })),
      sent: 'both',
      body: Type.Partial(Requirements()),
    },
    benefits: { sent: 'both', schema: Points('Health insurance') },
    skills: { sent: 'both', schema: Words(MAX_COUNT.words, ['upholstery', 'sewing']) },
    location: {
      ...made(Location(), [vacancies.country, vacancies.city], ([country, city]) =>
        locationOf(country, city),
      ),
      sent: 'both',
      body: Nullable(SentLocation()),
    },
    modality: { sent: 'both' },
    contract_type: { sent: 'both' },
    level: {
      sent: 'both',
      words: {
        ...assumedValues(
          'The specification shows only senior and mid. The other values are the usual levels.',
          'entry',
          'junior',
          'lead',
          'director',
          'executive',
        ),
        examples: ['senior'],
      },
    },
    min_experience_years: { sent: 'both', bounded: true, words: { examples: [3] } },
    salary_range: {
      ...made(Nullable(Range()), [vacancies.salaryRange], ([range]) => publicSalary(range)),
      sent: 'both',
      body: Nullable(SentRange()),
    },
    openings: {
      sent: 'both',
      bounded: true,
      words: { examples: [2] },
      takes: { description: 'Default is 1 (assumed).' },
    },
    visibility: {
      sent: 'both',
      words: assumedValues(
        'The specification shows only public. A vacancy with internal has no public page.',
        'internal',
      ),
      takes: { 'x-assumed-default': true, examples: ['public'] },
    },
    status: {
      sent: 'update',
      takes: {
        description: 'Has the same effect as POST /vacancies/{vacancy_id}/status.',
        examples: ['draft'],
      },
    },
    applications_count: { schema: Type.Integer({ minimum: 0 }) },
    views_count: { schema: Type.Integer({ minimum: 0 }) },
    public_url: made(
      Assumed(
        'The specification shows a slug, but no URL. In the simulator, candidates can apply on this page while the vacancy is published and public.',
        Type.String({
          format: 'uri',
          examples: ['http://127.0.0.1:4012/recruiting/jobs/demo/senior-upholsterer'],
        }),
      ),
      [vacancies.slug],
      ([slug], workspace) => pageAddress(workspace, slug),
    ),
    published_at: {},
    closes_at: {
      ...made(Nullable(Instant()), [vacancies.closesAt], ([closesAt]) => isoOrNull(closesAt)),
      sent: 'both',
      body: Nullable(
        SentEnd({
          maxLength: 40,
          description: 'Must be in the future. The vacancy is closed at that time (assumed).',
          examples: ['2031-01-31'],
        }),
      ),
    },
    created_at: {},
    updated_at: {},
  }),
  update: {
    examples: [{ description: 'You build and repair the seats that we sell and rent out.', openings: 3 }],
  },
})

/** A vacancy for callers with the permission vacancies:write. */
export const FullVacancy = shape({}, vacancies, {
  fields: () => ({ ...Vacancy.fields(), salary_range: { schema: Range() } }),
})

const notInCreation =
  'The specification lists other fields for the creation of a vacancy. The simulator also accepts this one, as in updates.'

export const NewVacancy = shape({ create: 'VacancyCreate' }, vacancies, {
  fields: () => {
    const { responsibilities, openings, closes_at, ...others } = Vacancy.fields()
    return {
      ...others,
      responsibilities: { ...responsibilities, assumed: notInCreation },
      openings: { ...openings, assumed: notInCreation },
      closes_at: { ...closes_at, body: Assumed(notInCreation, closes_at.body) },
      status: {
        sent: 'create',
        required: true,
        body: OneOf(vacancyMachine.initial, assumedDefault('draft')),
      },
    }
  },
})

/** The response to the creation of a vacancy. */
export const CreatedVacancy = shape({ item: 'CreatedVacancy' }, vacancies, {
  fields: () => {
    const { id, title, slug, status, created_at } = Vacancy.fields()
    return { id, title, slug, status, created_at }
  },
})

type Sent = Static<typeof Vacancy.update>

/** Converts a body to columns. Parts of a salary or location that were not sent come from `before`. */
export function parseVacancy(
  workspace: Workspace,
  sent: Sent,
  before?: Pick<VacancyRow, 'salaryRange' | 'city'>,
): VacancyFields {
  const { requirements: { mandatory, desirable } = {}, location, salary_range: range, closes_at } = sent
  return {
    ...Vacancy.parse(workspace, sent),
    ...(mandatory !== undefined && { mandatory }),
    ...(desirable !== undefined && { desirable }),
    ...(location === null && { country: null, city: null }),
    ...(location && locationFields(location, before?.city ?? null)),
    ...(range !== undefined && { salaryRange: salaryOf(workspace, range, before?.salaryRange ?? null) }),
    ...(closes_at !== undefined && {
      closesAt: closes_at === null ? null : lastInstantOf(closes_at, workspace),
    }),
  }
}

const locationFields = ({ country, city }: NonNullable<Sent['location']>, before: string | null) => ({
  country,
  city: city === undefined ? before : city,
})

function salaryOf(
  workspace: Workspace,
  sent: NonNullable<Sent['salary_range']> | null,
  before: SalaryRange | null,
): SalaryRange | null {
  if (sent === null) return null
  const kept = before ?? {
    min: null,
    max: null,
    currency: workspace.currency,
    period: 'monthly',
    visible: true,
  }
  const { min = kept.min, max = kept.max, currency = kept.currency } = sent
  const { period = kept.period, visible = kept.visible } = sent
  return { min, max, currency, period, visible }
}

export const VacancyId = Type.Object({ vacancy_id: Id('vac_') })

/** The path parameter with a draft as its example. */
export const DraftId = Type.Object({ vacancy_id: Id('vac_', { examples: [demoId('vac_', 4)] }) })

/** The request body that sets the status of a vacancy. */
export const StatusChange = named(
  'VacancyStatusChange',
  Type.Object({
    status: OneOf(vacancyMachine.states, { examples: ['published'] }),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 2000, examples: ['The budget is approved'] }))),
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

/** The response of a deletion under one of its readings. */
export const Deleted = Assumed(
  'The specification does not show a response. Under the reading recruiting.delete_vacancy = 200, it is that of the deletions of the catalog.',
  Type.Object({ success: Type.Literal(true) }),
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
    SearchText({
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
