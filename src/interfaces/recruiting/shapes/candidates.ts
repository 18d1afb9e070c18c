/** Wire shapes of candidates. Specification part 1, "Candidate, interview, evaluation", "Candidate stage", "Recruiting". */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { fileLink } from '../../../http/files/fileLinks.ts'
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
} from '../../../http/schemas/schemas.ts'
import { assumedPage, Id, pageQuery, SeparatedTexts } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape, valueOf } from '../../../http/shapes/shape.ts'
import { iso } from '@suite-sim/kit/time/instants'
import {
  allSkills,
  applicationsOf,
  historyOf,
  type ApplicationDetails,
} from '../../../state/recruiting/candidates.ts'
import { AVAILABILITIES } from '../../../state/recruiting/jsonColumns.ts'
import { applicationMachine, type Stage } from '../../../state/recruiting/machines.ts'
import {
  applications,
  candidates,
  MODALITIES,
  NOTE_VISIBILITIES,
  notes,
  stageChanges,
} from '../../../state/recruiting/tables.ts'
import { storedFiles } from '../../../state/shared/storedFiles.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { profileAddress } from '../addresses.ts'
import {
  candidateQuery,
  DEMO_USER,
  Location,
  locationOf,
  Money,
  NamedUser,
  SalaryPeriod,
  userView,
  Years,
} from './common.ts'

const StageSchema = () => OneOf(applicationMachine.states, { examples: ['reviewing'] })

const NAME = 'Rosa Medina'
const ADDRESS = 'rosa.medina@example.com'
const PHONE = '+507 6000 0201'

export const CandidateItem = shape({ item: 'CandidateItem' }, applications, {
  fields: () => ({
    id: made(Id('cand_'), [applications.candidateId], ([id]) => id),
    name: { words: { examples: [NAME] } },
    email: { schema: Type.String({ format: 'email', examples: [ADDRESS] }) },
    phone: { words: { examples: [PHONE] } },
    location: made(Location(), [applications.country, applications.city], ([country, city]) =>
      locationOf(country, city),
    ),
    experience_years: { schema: Years() },
    skills: { schema: Type.Array(Type.String(), { examples: [['upholstery', 'sewing']] }) },
    stage: { words: { examples: ['reviewing'] } },
    match_score: {
      bounded: true,
      words: {
        description:
          'Computed at the time of the application. Skills count up to 60 (the share of the required skills), experience up to 25 (the share of the required years), and location up to 15 (the same city or remote work; 10 for the same country). A criterion that the vacancy lacks counts fully (assumed).',
        examples: [85],
      },
    },
    applied_at: {},
    profile_url: made(
      Type.String({
        format: 'uri',
        description: 'The URL of GET /candidates/{candidate_id} (assumed).',
        examples: [`http://127.0.0.1:4012/recruiting/v1/candidates/cand_demo0000000000000001`],
      }),
      [applications.candidateId],
      ([id], workspace) => profileAddress(workspace, id),
    ),
  }),
})

/** Returns a download link, which expires; each response has a new one. */
function fileUrl(id: string | null, workspace: Workspace): string | null {
  const file = id === null ? undefined : storedFiles.find(workspace, id)
  return file ? fileLink(workspace, file).url : null
}

const Url = () => Nullable(Type.String({ format: 'uri' }))

const LATEST = 'Of the latest application; null without one (assumed).'

/** The applications of a candidate, newest first. */
const applicationsOfEach = lookupBy(candidates.id, applicationsOf.ofEach)

/** The fields of a list item that belong to an application: those of the latest one. */
function ofLatestApplication() {
  const of = <Field extends TSchema>(
    schema: Field,
    read: (application: ApplicationDetails) => Static<Field>,
  ) =>
    madeFrom(Nullable(schema), applicationsOfEach, (applications) => {
      const [latest] = applications ?? []
      return latest ? read(latest) : null
    })
  return {
    stage: of(Type.Unsafe<Stage>({ ...StageSchema(), description: LATEST }), ({ stage }) => stage),
    match_score: of(Type.Integer({ description: LATEST, examples: [85] }), ({ matchScore }) => matchScore),
    applied_at: of(Instant({ description: LATEST }), ({ appliedAt }) => iso(appliedAt)),
  }
}

const profileUrl = (options: object = {}) =>
  made(Type.String({ format: 'uri', ...options }), [candidates.id], ([id], workspace) =>
    profileAddress(workspace, id),
  )

const location = () =>
  made(Location(), [candidates.country, candidates.city], ([country, city]) => locationOf(country, city))

/** A search result: a candidate with the latest application. */
export const FoundCandidate = shape({ item: 'FoundCandidate' }, candidates, {
  fields: () => ({
    id: { schema: Id('cand_') },
    name: { words: { examples: [NAME] } },
    email: { schema: Type.String({ format: 'email', examples: [ADDRESS] }) },
    phone: { words: { examples: [PHONE] } },
    location: location(),
    experience_years: { schema: Years() },
    skills: made(
      Type.Array(Type.String(), { examples: [['upholstery', 'sewing']] }),
      [candidates.technicalSkills, candidates.softSkills],
      ([technicalSkills, softSkills]) => allSkills({ technicalSkills, softSkills }),
    ),
    ...ofLatestApplication(),
    profile_url: profileUrl(),
  }),
})

export const CandidateProfile = shape({ item: 'CandidateProfile' }, candidates, {
  fields: () => ({
    id: { schema: Id('cand_') },
    name: { words: { examples: [NAME] } },
    email: { words: { examples: [ADDRESS] } },
    phone: { words: { examples: [PHONE] } },
    location: location(),
    experience_years: { schema: Years() },
    availability: {},
    preferred_modality: {
      words: assumedValues(
        'The specification shows no values. The simulator has those of vacancies.',
        ...MODALITIES,
      ),
    },
    salary_expectation: {
      schema: Type.Object({ min: Money(1300), currency: Currency(), period: SalaryPeriod() }),
    },
    summary: {},
    experience: made(
      Type.Array(
        Type.Object({
          company: Type.String(),
          title: Type.String(),
          period: Nullable(Type.String()),
          description: Nullable(Type.String()),
        }),
      ),
      [candidates.jobs],
      ([jobs]) => [...jobs],
    ),
    education: {
      schema: Type.Array(
        Type.Object({
          institution: Type.String(),
          degree: Type.String(),
          year: Nullable(Type.Integer()),
        }),
      ),
    },
    skills: made(
      Type.Object({ technical: Type.Array(Type.String()), soft: Type.Array(Type.String()) }),
      [candidates.technicalSkills, candidates.softSkills],
      ([technical, soft]) => ({ technical: [...technical], soft: [...soft] }),
    ),
    languages: { schema: Type.Array(Type.Object({ language: Type.String(), level: Type.String() })) },
    documents: made(
      Type.Object({ cv_url: Url(), portfolio_url: Url(), linkedin_url: Url() }),
      [candidates.cvFileId, candidates.portfolioUrl, candidates.linkedinUrl],
      ([cv, portfolio, linkedin], workspace) => ({
        cv_url: fileUrl(cv, workspace),
        portfolio_url: portfolio,
        linkedin_url: linkedin,
      }),
    ),
    tags: { schema: Type.Array(Type.String()) },
    applications: madeFrom(
      Type.Array(
        Type.Object({
          vacancy_id: Id('vac_'),
          vacancy_title: Type.String(),
          stage: StageSchema(),
          applied_at: Instant(),
          stage_history: Assumed(
            'The specification does not show the history of stages. The simulator returns the last 50 changes, newest first.',
            Type.Array(
              Type.Object({
                previous_stage: Type.String(),
                new_stage: Type.String(),
                changed_at: Instant(),
                changed_by: NamedUser(),
                notes: Nullable(Type.String()),
              }),
            ),
          ),
        }),
        { description: 'Newest first.' },
      ),
      applicationsOfEach,
      (all = [], workspace) =>
        all.map((each) => ({
          vacancy_id: each.vacancyId,
          vacancy_title: each.vacancyTitle,
          stage: each.stage,
          applied_at: iso(each.appliedAt),
          stage_history: historyOf(workspace, each.id).map((change) => ({
            previous_stage: change.previousStage,
            new_stage: change.newStage,
            changed_at: iso(change.changedAt),
            changed_by: userView(change.changedBy, workspace),
            notes: change.notes,
          })),
        })),
    ),
    ...ofLatestApplication(),
    profile_url: profileUrl(),
    created_at: {},
  }),
})

export const CandidateId = Type.Object({ candidate_id: Id('cand_') })

export const CandidateOfVacancy = Type.Object({ vacancy_id: Id('vac_'), candidate_id: Id('cand_') })

export const CandidateQuery = Type.Object({
  ...pageQuery,
  stage: Type.Optional(OneOf(applicationMachine.states)),
  ...candidateQuery,
  sort_by: OneOf(['applied_at', 'name', 'experience', 'match_score'], assumedDefault('applied_at')),
  sort_order: OneOf(['asc', 'desc'], assumedDefault('desc')),
})

export const SearchQuery = Type.Object({
  ...assumedPage(
    'The specification shows no pages of the search. The simulator has those of all lists.',
    pageQuery,
  ),
  q: Type.Optional(
    SearchText({
      maxLength: 200,
      description:
        'Matches name, e-mail, phone, summary, skills and past jobs. Ignores case and accents (assumed).',
    }),
  ),
  ...candidateQuery,
  availability: Type.Optional(OneOf(AVAILABILITIES)),
  tags: Type.Optional(SeparatedTexts(500, 'A candidate must have all of them (assumed).')),
})

export const StageMove = named(
  'StageMove',
  Type.Object({
    stage: StageSchema(),
    notes: Type.Optional(Nullable(valueOf(stageChanges.notes, { examples: ['Good work samples'] }))),
    notify_candidate: Type.Boolean({
      ...assumedDefault(false),
      description: 'Whether to send the candidate an e-mail.',
      examples: [true],
    }),
  }),
)

export const StageMoved = named(
  'StageMoved',
  Type.Object({
    previous_stage: StageSchema(),
    new_stage: StageSchema(),
    changed_at: Instant(),
    changed_by: Type.String({ description: 'The id of the user (assumed).', examples: [DEMO_USER] }),
    notification_sent: Type.Boolean(),
  }),
)

export const Note = shape({ item: 'CandidateNote', create: 'CandidateNoteCreate' }, notes, {
  assumed: 'The specification does not show a response. The simulator returns the note with its author.',
  fields: () => ({
    id: { schema: Id('note_') },
    candidate_id: { schema: Id('cand_') },
    content: {
      sent: 'create',
      required: true,
      schema: Type.String(),
      body: valueOf(notes.content, {
        'x-wording': 'must not be blank',
        examples: ['Answers within the hour.'],
      }),
    },
    visibility: {
      sent: 'create',
      required: true,
      schema: OneOf(NOTE_VISIBILITIES),
      body: OneOf(NOTE_VISIBILITIES, {
        ...assumedDefault('team'),
        ...assumedValues('The specification shows only team; private is its usual counterpart.', 'private'),
      }),
    },
    author: made(NamedUser(), [notes.authorId], ([id], workspace) => userView(id, workspace)),
    created_at: {},
  }),
})
