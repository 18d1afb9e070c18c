/**
 * How well a candidate fits a vacancy, from 0 to 100. The specification shows a match_score and no rule: skills count
 * most, then experience, then the place. What a vacancy does not ask for, everybody has.
 */
import { fold } from '../collation.ts'

export interface Wanted {
  readonly skills: readonly string[]
  readonly minExperienceYears: number | null
  readonly country: string | null
  readonly city: string | null
  readonly modality: string | null
}

export interface Offered {
  readonly skills: readonly string[]
  readonly experienceYears: number | null
  readonly country: string | null
  readonly city: string | null
}

export const WEIGHTS = { skills: 60, experience: 25, location: 15 } as const

/** What living in the same country counts where the city is another one. */
const SAME_COUNTRY = 2 / 3

export const matchScore = (wanted: Wanted, offered: Offered): number =>
  Math.round(
    WEIGHTS.skills * skillShare(wanted, offered) +
      WEIGHTS.experience * experienceShare(wanted, offered) +
      WEIGHTS.location * locationShare(wanted, offered),
  )

/** The share of the skills asked for that the candidate names, whatever their case. */
function skillShare(wanted: Wanted, offered: Offered): number {
  const asked = new Set(wanted.skills.map(fold))
  if (asked.size === 0) return 1
  const had = new Set(offered.skills.map(fold))
  return [...asked].filter((skill) => had.has(skill)).length / asked.size
}

/** The share of the years asked for, which more years do not exceed. */
function experienceShare({ minExperienceYears }: Wanted, { experienceYears }: Offered): number {
  if (minExperienceYears === null || minExperienceYears === 0) return 1
  return Math.min(1, (experienceYears ?? 0) / minExperienceYears)
}

/** Where work is remote, every place is as good as any other. */
function locationShare(wanted: Wanted, offered: Offered): number {
  if (wanted.modality === 'remote' || wanted.country === null) return 1
  if (wanted.country !== offered.country) return 0
  if (wanted.city === null) return 1
  return offered.city !== null && fold(wanted.city) === fold(offered.city) ? 1 : SAME_COUNTRY
}
