/** Candidates and their applications, as they are kept; what can be done to them is told in `applications.ts`. */
import { Type } from '@sinclair/typebox'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { fold } from '../collation.ts'
import { countryName } from '../countries.ts'
import { numbered, type Lookup } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { folded, searchedWithPhones } from '../searching.ts'
import {
  countryCode,
  decimalNumber,
  email,
  filled,
  oneOf,
  text,
  upTo,
  urlUpTo,
  whole,
  words,
} from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { LARGEST_SALARY, LONGEST, MAX_COUNT, MAX_YEARS } from './limits.ts'
import { FUNNEL, applicationMachine } from './machines.ts'
import {
  applications as applicationTable,
  candidates as table,
  notes as noteTable,
  SALARY_PERIODS,
  stageChanges as changeTable,
  vacancies,
} from './tables.ts'

export type Candidate = typeof table.$inferSelect
export type Application = typeof applicationTable.$inferSelect
export type StageChange = typeof changeTable.$inferSelect
export type Note = typeof noteTable.$inferSelect

/** Stands around each of several texts in one column; no text that is looked for holds it. */
const SEPARATOR = '\n'

/** Texts between separators, compared without case and accents, so that a whole one of them can be looked for. */
const listed = (all: readonly string[]): string =>
  all.length === 0 ? '' : `${SEPARATOR}${all.map(fold).join(SEPARATOR)}${SEPARATOR}`

const foldedList = <Row>(texts: (row: Row) => readonly string[]) =>
  Object.assign((row: Row): string => listed(texts(row)), { isFolded: true as const })

/** Skills or tags that a caller has sent, separated by commas: those that all have to be there. */
const eachOf = (sent: string): string =>
  JSON.stringify(
    sent
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => `${SEPARATOR}${fold(each)}${SEPARATOR}`),
  )

const holdsEach = (
  column: typeof table.skillKey | typeof applicationTable.skillKey | typeof table.tagKey,
): Lookup => ({
  forms: [eachOf],
  where: (value) =>
    sql`not exists (select 1 from json_each(${value}) as sought where instr(${column}, sought.value) = 0)`,
})

/** Part of the name of a city, or a country by its name or code. */
const placed = (
  city: typeof table.cityKey | typeof applicationTable.cityKey,
  country: typeof table.countryKey | typeof applicationTable.countryKey,
): Lookup => ({
  forms: [fold, (sent) => listed([sent])],
  where: (text, whole) => sql`(instr(${city}, ${text}) > 0 or instr(${country}, ${whole}) > 0)`,
})

interface Placed {
  readonly country: string | null
  readonly city: string | null
}

const placeKeys = {
  cityKey: folded(({ city }: Placed) => [city]),
  countryKey: foldedList(({ country }: Placed) => (country === null ? [] : [country, countryName(country)])),
}

/** Technical and soft skills in one list, each once. */
export const allSkills = ({
  technicalSkills,
  softSkills,
}: Pick<Candidate, 'technicalSkills' | 'softSkills'>) => [...new Set([...technicalSkills, ...softSkills])]

/** Candidates of all vacancies, with every filter of GET /candidates/search. */
export const candidates = record(table, {
  noun: 'candidate',
  // A tag that is named twice counts once.
  normal: ({ tags }) => ({ tags: [...new Set(tags)] }),
  derived: {
    emailKey: ({ email: address }) => address.toLowerCase(),
    searchKey: folded(
      ({ name, email: address, summary, technicalSkills, softSkills, jobs }) => [
        name,
        address,
        summary,
        ...technicalSkills,
        ...softSkills,
        ...jobs.flatMap(({ company, title }) => [title, company]),
      ],
      ({ phone }) => phone,
    ),
    skillKey: foldedList((row) => allSkills(row)),
    tagKey: foldedList(({ tags }) => tags),
    ...placeKeys,
  },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      q: searchedWithPhones(table.searchKey),
      skills: holdsEach(table.skillKey),
      location: placed(table.cityKey, table.countryKey),
      min_experience: (value) => sql`coalesce(${table.experienceYears}, 0) >= ${value}`,
      availability: (value) => sql`${table.availability} = ${value}`,
      tags: holdsEach(table.tagKey),
    },
    indexes: { availability: [table.availability, table.createdAt] },
  }),
  snapshot: {
    section: 'recruiting',
    name: 'candidates',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      name: text(LONGEST.name),
      email: email(),
      phone: upTo(LONGEST.phone),
      country: countryCode(),
      city: upTo(LONGEST.city),
      experienceYears: decimalNumber(0, MAX_YEARS),
      technicalSkills: words(MAX_COUNT.words, LONGEST.word),
      softSkills: words(MAX_COUNT.words, LONGEST.word),
      summary: upTo(LONGEST.summary),
      portfolioUrl: urlUpTo(LONGEST.profileUrl),
      linkedinUrl: urlUpTo(LONGEST.profileUrl),
      // Those of a row of a file and those for the whole file.
      tags: words(2 * MAX_COUNT.words, LONGEST.word),
      source: text(LONGEST.word),
      salaryExpectation: closed({
        min: decimalNumber(0, LARGEST_SALARY),
        currency: Type.String({ format: 'iso-4217' }),
        period: oneOf(SALARY_PERIODS),
      }),
      jobs: Type.Array(
        closed({ company: filled(), title: filled(), period: orNone(), description: orNone() }),
      ),
      education: Type.Array(
        closed({ institution: filled(), degree: filled(), year: Type.Union([Type.Integer(), Type.Null()]) }),
      ),
      languages: Type.Array(closed({ language: filled(), level: filled() })),
    }),
  },
})

const closed = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false })

const orNone = () => Type.Union([Type.String(), Type.Null()])

const byEmail = candidates.by('emailKey')

/** The candidate with this address, compared without case. */
export const candidateWithEmail = (workspace: Workspace, address: string): Candidate | undefined =>
  byEmail.find(workspace, address.toLowerCase())

// ---------------------------------------------------------------- applications

type OfCandidate = Pick<Application, 'candidateId'>

/** Follows from the candidate, who has to be there first. */
const ofCandidate =
  <Value>(value: (candidate: Candidate) => Value, none: Value) =>
  ({ candidateId }: OfCandidate, workspace: Workspace): Value => {
    const candidate = candidates.find(workspace, candidateId)
    return candidate ? value(candidate) : none
  }

/** The last stage of the funnel. */
const HIRED = FUNNEL.length - 1

const BY_STAGE = [applicationTable.vacancyId, applicationTable.stage, applicationTable.appliedAt]

/** The candidates of a vacancy, in every order and with every filter of their list. */
export const applications = record(applicationTable, {
  noun: 'application',
  // All figures count only candidates who are hired now (assumed). After that stage, the furthest one is the offer.
  normal: ({ stage, furthest, hiredAt, updatedAt }) =>
    stage === 'hired'
      ? { furthest: HIRED, hiredAt: hiredAt ?? updatedAt }
      : { furthest: Math.min(furthest, HIRED - 1), hiredAt: null },
  derived: {
    name: ofCandidate(({ name }) => name, ''),
    email: ofCandidate((candidate) => candidate.email, ''),
    phone: ofCandidate(({ phone }) => phone, null),
    country: ofCandidate(({ country }) => country, null),
    city: ofCandidate(({ city }) => city, null),
    experienceYears: ofCandidate(({ experienceYears }) => experienceYears, null),
    skills: ofCandidate(allSkills, []),
    nameKey: folded(({ name }: Pick<Application, 'name'>) => [name]),
    experienceKey: ({ experienceYears }: Pick<Application, 'experienceYears'>) => experienceYears ?? -1,
    skillKey: foldedList(({ skills }: Pick<Application, 'skills'>) => skills),
    ...placeKeys,
  },
  list: numbered({
    sorts: {
      applied_at: applicationTable.appliedAt,
      name: applicationTable.nameKey,
      experience: applicationTable.experienceKey,
      match_score: applicationTable.matchScore,
    },
    filters: {
      vacancy_id: (value) => sql`${applicationTable.vacancyId} = ${value}`,
      stage: (value) => sql`${applicationTable.stage} = ${value}`,
      skills: holdsEach(applicationTable.skillKey),
      min_experience: (value) => sql`coalesce(${applicationTable.experienceYears}, 0) >= ${value}`,
      location: placed(applicationTable.cityKey, applicationTable.countryKey),
    },
    indexes: {
      name: [applicationTable.vacancyId, applicationTable.nameKey],
      experience: [applicationTable.vacancyId, applicationTable.experienceKey],
      match_score: [applicationTable.vacancyId, applicationTable.matchScore],
      stage: BY_STAGE,
    },
  }),
  indexes: {
    stage: [applicationTable.stage],
    stageOfVacancy: BY_STAGE,
    source: [applicationTable.vacancyId, applicationTable.source],
  },
  snapshot: {
    section: 'recruiting',
    name: 'applications',
    instants: ['appliedAt', 'hiredAt', 'createdAt', 'updatedAt'],
    shapes: () => ({
      furthest: whole(0, FUNNEL.length - 1),
      matchScore: whole(0, 100),
      source: text(LONGEST.word),
    }),
  },
})

/** Ids of applications: those of one candidate, and the one for a vacancy. */
const idsOfCandidate = query((orm) =>
  orm
    .select({ id: applicationTable.id })
    .from(applicationTable)
    .where(
      and(ofWorkspace(applicationTable), eq(applicationTable.candidateId, sql.placeholder('candidateId'))),
    )
    .orderBy(asc(applicationTable.appliedAt), asc(sql`rowid`)),
)

const idOfPair = query((orm) =>
  orm
    .select({ id: applicationTable.id })
    .from(applicationTable)
    .where(
      and(
        ofWorkspace(applicationTable),
        eq(applicationTable.vacancyId, sql.placeholder('vacancyId')),
        eq(applicationTable.candidateId, sql.placeholder('candidateId')),
      ),
    ),
)

/** The application of this candidate for this vacancy, if there is one. */
export function applicationOf(
  workspace: Workspace,
  vacancyId: string,
  candidateId: string,
): Application | undefined {
  const found = idOfPair.first(workspace, { vacancyId, candidateId })
  return found && applications.find(workspace, found.id)
}

/** What follows from the candidate in each of the applications, made anew. Only inside a `write`. */
export function candidateChanged(workspace: Workspace, candidateId: string): void {
  for (const { id } of idsOfCandidate.all(workspace, { candidateId })) {
    applications.update(workspace, applications.get(workspace, id), {})
  }
}

export interface ApplicationInFull {
  readonly id: string
  readonly candidateId: string
  readonly vacancyId: string
  readonly vacancyTitle: string
  readonly stage: Application['stage']
  readonly matchScore: number
  readonly appliedAt: number
}

const ofCandidates = query((orm) =>
  orm
    .select({
      id: applicationTable.id,
      candidateId: applicationTable.candidateId,
      vacancyId: applicationTable.vacancyId,
      vacancyTitle: vacancies.title,
      stage: applicationTable.stage,
      matchScore: applicationTable.matchScore,
      appliedAt: applicationTable.appliedAt,
    })
    .from(applicationTable)
    .innerJoin(
      vacancies,
      and(eq(vacancies.workspace, applicationTable.workspace), eq(vacancies.id, applicationTable.vacancyId)),
    )
    .where(
      and(
        ofWorkspace(applicationTable),
        sql`${applicationTable.candidateId} in (select value from json_each(${sql.placeholder('ids')}))`,
      ),
    )
    .orderBy(desc(applicationTable.appliedAt), desc(sql`${applicationTable}.rowid`)),
)

/** The applications of these candidates, the last first. */
export const applicationsOf = (workspace: Workspace, ids: readonly string[]): ApplicationInFull[] =>
  ofCandidates.all(workspace, { ids: JSON.stringify(ids) })

// ---------------------------------------------------------------- history and notes

const stageShape = () => oneOf(applicationMachine.states)

export const stageChanges = record(changeTable, {
  noun: 'change of a stage',
  snapshot: {
    section: 'recruiting',
    name: 'stageChanges',
    instants: ['changedAt'],
    shapes: () => ({ previousStage: stageShape(), newStage: stageShape(), notes: upTo(LONGEST.remark) }),
  },
})

/** Changes of one application that are told; somebody who goes back and forth makes no page longer than this. */
export const MAX_CHANGES = 50

const changesOf = query((orm) =>
  orm
    .select()
    .from(changeTable)
    .where(and(ofWorkspace(changeTable), eq(changeTable.applicationId, sql.placeholder('applicationId'))))
    .orderBy(desc(changeTable.changedAt), desc(sql`rowid`))
    .limit(MAX_CHANGES),
)

/** How the application came to its stage, the last change first. */
export const historyOf = (workspace: Workspace, applicationId: string): StageChange[] =>
  changesOf.all(workspace, { applicationId })

export const notes = record(noteTable, {
  noun: 'note',
  snapshot: {
    section: 'recruiting',
    name: 'notes',
    instants: ['createdAt'],
    shapes: () => ({ content: text(LONGEST.note) }),
  },
})
