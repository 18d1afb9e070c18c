/**
 * Computes the match score of a candidate and a vacancy, from 0 to 100. The specification shows match_score, but no rule.
 * Assumed: skills have the highest weight, then experience, then location. A criterion that the vacancy lacks counts fully.
 */
import { fold } from '@suite-sim/kit/text/collation'

export interface VacancyCriteria {
  readonly skills: readonly string[]
  readonly minExperienceYears: number | null
  readonly country: string | null
  readonly city: string | null
  readonly modality: string | null
}

export interface CandidateQualities {
  readonly skills: readonly string[]
  readonly experienceYears: number | null
  readonly country: string | null
  readonly city: string | null
}

export const WEIGHTS = { skills: 60, experience: 25, location: 15 } as const

/** The share of the location weight for the same country, but another city. */
const SAME_COUNTRY = 2 / 3

export const matchScore = (vacancy: VacancyCriteria, candidate: CandidateQualities): number =>
  Math.round(
    WEIGHTS.skills * skillShare(vacancy, candidate) +
      WEIGHTS.experience * experienceShare(vacancy, candidate) +
      WEIGHTS.location * locationShare(vacancy, candidate),
  )

/** Returns the share of the required skills that the candidate has, compared without case and accents. */
function skillShare(vacancy: VacancyCriteria, candidate: CandidateQualities): number {
  const required = new Set(vacancy.skills.map(fold))
  if (required.size === 0) return 1
  const available = new Set(candidate.skills.map(fold))
  return [...required].filter((skill) => available.has(skill)).length / required.size
}

/** Returns the share of the required years of experience, at most 1. */
function experienceShare(
  { minExperienceYears }: VacancyCriteria,
  { experienceYears }: CandidateQualities,
): number {
  if (minExperienceYears === null || minExperienceYears === 0) return 1
  return Math.min(1, (experienceYears ?? 0) / minExperienceYears)
}

/** Returns the share for the location, which is always 1 for remote work. */
function locationShare(vacancy: VacancyCriteria, candidate: CandidateQualities): number {
  if (vacancy.modality === 'remote' || vacancy.country === null) return 1
  if (vacancy.country !== candidate.country) return 0
  if (vacancy.city === null) return 1
  return candidate.city !== null && fold(vacancy.city) === fold(candidate.city) ? 1 : SAME_COUNTRY
}
