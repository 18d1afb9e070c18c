/**
 * Limits of recruiting records, shared by wire shapes and snapshots. The specification does not show limits: all are
 * assumed.
 */

/** Maximum lengths in characters. */
export const MAX_LENGTH = {
  name: 200,
  title: 200,
  department: 100,
  description: 20_000,
  /** A requirement, a benefit. */
  point: 500,
  /** A skill, a tag, a source. */
  word: 50,
  city: 100,
  phone: 40,
  summary: 5000,
  profileUrl: 500,
  role: 100,
  roomUrl: 2000,
  remark: 5000,
  criterion: 100,
  comment: 2000,
  cancelReason: 2000,
  note: 10_000,
} as const

/** The maximum number of items in lists. */
export const MAX_COUNT = { points: 50, words: 50, interviewers: 20, criteria: 50 } as const

export const MAX_YEARS = 80
export const MAX_SALARY = 999_999_999_999.99
export const MAX_SCORE = 100
export const MAX_WEIGHT = 1000

/** In minutes. */
export const MIN_INTERVIEW_MINUTES = 5
export const MAX_INTERVIEW_MINUTES = 480

/** The maximum number of errors and of duplicates that an import lists. */
export const MAX_LISTED = 1000
