/** The tables of candidates and applications with their filters. `applications.ts` has the operations. */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { fold } from '@suite-sim/kit/text/collation'
import { emailKey } from '../text/emailAddresses.ts'
import { countryName } from '../shared/countries.ts'
import { numbered, type LookupFilter } from '../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { folded, searchedWithPhones } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { FUNNEL } from './machines.ts'
import {
  applications as applicationTable,
  candidates as table,
  notes as noteTable,
  stageChanges as changeTable,
  vacancies,
} from './tables.ts'

export type Candidate = typeof table.$inferSelect
export type Application = typeof applicationTable.$inferSelect
export type StageChange = typeof changeTable.$inferSelect
export type Note = typeof noteTable.$inferSelect

/** Separates strings in a key column. No searched string contains it. */
const SEPARATOR = '\n'

/** Joins strings without case and accents, with a separator around each, so that `instr` finds whole strings. */
const joinFolded = (strings: readonly string[]): string =>
  strings.length === 0 ? '' : `${SEPARATOR}${strings.map(fold).join(SEPARATOR)}${SEPARATOR}`

const foldedList =
  <Row>(texts: (row: Row) => readonly string[]) =>
  (row: Row): string =>
    joinFolded(texts(row))

/** Converts a comma-separated filter to a JSON list of search strings, all of which must match. */
const searchStrings = (filter: string): string =>
  JSON.stringify(
    filter
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => `${SEPARATOR}${fold(each)}${SEPARATOR}`),
  )

const containsEach = (
  column: typeof table.skillKey | typeof applicationTable.skillKey | typeof table.tagKey,
): LookupFilter => ({
  forms: [searchStrings],
  where: (value) =>
    sql`not exists (select 1 from json_each(${value}) as sought where instr(${column}, sought.value) = 0)`,
})

/** Matches a part of the name of a city, or a country by its name or code. */
const matchesLocation = (
  city: typeof table.cityKey | typeof applicationTable.cityKey,
  country: typeof table.countryKey | typeof applicationTable.countryKey,
): LookupFilter => ({
  forms: [fold, (filter) => joinFolded([filter])],
  where: (text, whole) => sql`(instr(${city}, ${text}) > 0 or instr(${country}, ${whole}) > 0)`,
})

interface Located {
  readonly country: string | null
  readonly city: string | null
}

const locationKeys = {
  cityKey: folded(({ city }: Located) => [city]),
  countryKey: foldedList(({ country }: Located) => (country === null ? [] : [country, countryName(country)])),
}

/** Returns technical and soft skills in one list, without duplicates. */
export const allSkills = ({
  technicalSkills,
  softSkills,
}: Pick<Candidate, 'technicalSkills' | 'softSkills'>) => [...new Set([...technicalSkills, ...softSkills])]

/** Candidates of all vacancies, with every filter of GET /candidates/search. */
export const candidates = record(table, {
  noun: 'candidate',
  // Duplicate tags are stored once.
  normal: ({ tags }) => ({ tags: [...new Set(tags)] }),
  derived: {
    emailKey: ({ email: address }) => emailKey(address),
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
    ...locationKeys,
  },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      q: searchedWithPhones(table.searchKey),
      skills: containsEach(table.skillKey),
      location: matchesLocation(table.cityKey, table.countryKey),
      min_experience: (value) => sql`coalesce(${table.experienceYears}, 0) >= ${value}`,
      availability: (value) => sql`${table.availability} = ${value}`,
      tags: containsEach(table.tagKey),
    },
    indexes: { availability: [table.availability, table.createdAt] },
  }),
  snapshot: { section: 'recruiting', name: 'candidates' },
})

const byEmail = candidates.by('emailKey')

/** Returns the candidate with this e-mail address, compared without case. */
export const candidateWithEmail = (workspace: Workspace, address: string): Candidate | undefined =>
  byEmail.find(workspace, emailKey(address))

// ---------------------------------------------------------------- applications

type CandidateRef = Pick<Application, 'candidateId'>

/** Derives a value from the candidate, or returns `fallback` if the candidate does not exist. */
const ofCandidate =
  <Value>(value: (candidate: Candidate) => Value, fallback: Value) =>
  ({ candidateId }: CandidateRef, workspace: Workspace): Value => {
    const candidate = candidates.find(workspace, candidateId)
    return candidate ? value(candidate) : fallback
  }

/** The index of the last stage of the funnel. */
const HIRED = FUNNEL.length - 1

const BY_STAGE = [applicationTable.vacancyId, applicationTable.stage, applicationTable.appliedAt]

/** Applications with the orders and filters of GET /vacancies/{vacancy_id}/candidates. */
export const applications = record(applicationTable, {
  noun: 'application',
  // Analytics count only candidates who are hired now (assumed). For others, the furthest stage is at most the offer.
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
    ...locationKeys,
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
      skills: containsEach(applicationTable.skillKey),
      min_experience: (value) => sql`coalesce(${applicationTable.experienceYears}, 0) >= ${value}`,
      location: matchesLocation(applicationTable.cityKey, applicationTable.countryKey),
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
  snapshot: { section: 'recruiting', name: 'applications' },
})

/** Selects the ids of the applications of a candidate, oldest first. */
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

/** Returns the application of the candidate for the vacancy, if one exists. */
export function applicationOf(
  workspace: Workspace,
  vacancyId: string,
  candidateId: string,
): Application | undefined {
  const found = idOfPair.first(workspace, { vacancyId, candidateId })
  return found && applications.find(workspace, found.id)
}

/** Updates the derived columns of all applications of a candidate. Call only inside a `write`. */
export function updateApplicationsOf(workspace: Workspace, candidateId: string): void {
  for (const { id } of idsOfCandidate.all(workspace, { candidateId })) {
    applications.update(workspace, applications.get(workspace, id), {})
  }
}

export interface ApplicationDetails {
  readonly id: string
  readonly candidateId: string
  readonly vacancyId: string
  readonly vacancyTitle: string
  readonly stage: Application['stage']
  readonly matchScore: number
  readonly appliedAt: number
}

/** The applications of candidates, newest first. */
export const applicationsOf = queryOfEach<ApplicationDetails>('candidateId', (orm) =>
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
    .where(and(ofWorkspace(applicationTable), isAmong(applicationTable.candidateId)))
    .orderBy(desc(applicationTable.appliedAt), desc(sql`${applicationTable}.rowid`)),
)

// ---------------------------------------------------------------- history and notes

export const stageChanges = record(changeTable, {
  noun: 'change of a stage',
  snapshot: { section: 'recruiting', name: 'stageChanges' },
})

/** The maximum number of stage changes in a response, for each application. */
export const MAX_CHANGES = 50

const changesOf = query((orm) =>
  orm
    .select()
    .from(changeTable)
    .where(and(ofWorkspace(changeTable), eq(changeTable.applicationId, sql.placeholder('applicationId'))))
    .orderBy(desc(changeTable.changedAt), desc(sql`rowid`))
    .limit(MAX_CHANGES),
)

/** Returns the stage changes of an application, newest first. */
export const historyOf = (workspace: Workspace, applicationId: string): StageChange[] =>
  changesOf.all(workspace, { applicationId })

export const notes = record(noteTable, {
  noun: 'note',
  snapshot: { section: 'recruiting', name: 'notes' },
})
