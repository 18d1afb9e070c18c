/** The values of JSON columns of recruiting: their schemas and types. */
import { Type, type Static, type TProperties } from '@sinclair/typebox'
import {
  countryCode,
  currency,
  decimalNumber,
  email,
  filled,
  id,
  oneOf,
  orNone,
  text,
  upTo,
  urlUpTo,
  words,
} from '../storage/shapes.ts'
import { MAX_COUNT, MAX_LENGTH, MAX_SALARY, MAX_SCORE, MAX_WEIGHT, MAX_YEARS } from './limits.ts'

export const SALARY_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export const AVAILABILITIES = ['immediate', '2_weeks', '1_month', 'negotiable'] as const
export const ANSWERS = ['pending', 'accepted', 'declined'] as const

export type SalaryPeriod = (typeof SALARY_PERIODS)[number]

const closed = <Of extends TProperties>(properties: Of) =>
  Type.Object(properties, { additionalProperties: false })

const salary = () => decimalNumber(0, MAX_SALARY)

export const salaryRange = () =>
  closed({
    min: orNone(salary()),
    max: orNone(salary()),
    currency: currency(),
    period: oneOf(SALARY_PERIODS),
    visible: Type.Boolean(),
  })

export type SalaryRange = Readonly<Static<ReturnType<typeof salaryRange>>>

export const salaryExpectation = () =>
  closed({ min: salary(), currency: currency(), period: oneOf(SALARY_PERIODS) })

export type SalaryExpectation = Readonly<Static<ReturnType<typeof salaryExpectation>>>

export const job = () =>
  closed({
    company: filled(),
    title: filled(),
    period: orNone(Type.String()),
    description: orNone(Type.String()),
  })

export type Job = Readonly<Static<ReturnType<typeof job>>>

export const degree = () => closed({ institution: filled(), degree: filled(), year: orNone(Type.Integer()) })

export type Degree = Readonly<Static<ReturnType<typeof degree>>>

export const language = () => closed({ language: filled(), level: filled() })

export type Language = Readonly<Static<ReturnType<typeof language>>>

export const interviewer = () =>
  closed({
    name: text(MAX_LENGTH.name),
    email: email(),
    role: orNone(upTo(MAX_LENGTH.role)),
    required: Type.Boolean(),
    status: oneOf(ANSWERS),
  })

export type Interviewer = Readonly<Static<ReturnType<typeof interviewer>>>

export const criterion = () =>
  closed({
    name: text(MAX_LENGTH.criterion),
    weight: Type.Number({ exclusiveMinimum: 0, maximum: MAX_WEIGHT }),
    score: decimalNumber(0, MAX_SCORE),
    comment: orNone(upTo(MAX_LENGTH.comment)),
  })

export type Criterion = Readonly<Static<ReturnType<typeof criterion>>>

export const problem = () =>
  closed({
    row: Type.Integer(),
    /** null for the row as a whole. */
    field: orNone(Type.String()),
    message: Type.String(),
    /** True if the row was imported nevertheless. */
    isWarning: Type.Optional(Type.Boolean()),
  })

/** An error in one row of a file, or a warning. */
export type RowProblem = Readonly<Static<ReturnType<typeof problem>>>

export const duplicateRow = () => closed({ row: Type.Integer(), candidate_id: id() })

export type DuplicateRow = Readonly<Static<ReturnType<typeof duplicateRow>>>

export const importedColumn = () => closed({ column: Type.String(), field: orNone(Type.String()) })

/** A column of a file and its field; null if the column is ignored. */
export type ImportedColumn = Readonly<Static<ReturnType<typeof importedColumn>>>

const importedFields = () =>
  closed({
    name: text(MAX_LENGTH.name),
    email: email(),
    phone: orNone(upTo(MAX_LENGTH.phone)),
    country: orNone(countryCode()),
    city: orNone(upTo(MAX_LENGTH.city)),
    experienceYears: orNone(decimalNumber(0, MAX_YEARS)),
    skills: words(MAX_COUNT.words, MAX_LENGTH.word),
    availability: orNone(oneOf(AVAILABILITIES)),
    summary: orNone(upTo(MAX_LENGTH.summary)),
    linkedinUrl: orNone(urlUpTo(MAX_LENGTH.profileUrl)),
    portfolioUrl: orNone(urlUpTo(MAX_LENGTH.profileUrl)),
    source: orNone(text(MAX_LENGTH.word)),
    tags: words(MAX_COUNT.words, MAX_LENGTH.word),
  })

/** The fields of a candidate in a row of a file. */
export type ImportedFields = Readonly<Static<ReturnType<typeof importedFields>>>

export const importedRow = () =>
  Type.Union([
    closed({ row: Type.Integer(), fields: importedFields(), warnings: Type.Optional(Type.Array(problem())) }),
    closed({ row: Type.Integer(), problems: Type.Array(problem()) }),
  ])

/** A valid row, or the errors of an invalid one. */
export type ImportedRow = Static<ReturnType<typeof importedRow>>
