/** Evaluations of candidates by interviewers. Specification part 1, "Candidate, interview, evaluation". */
import { and, desc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { EVALUABLE } from './machines.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import { emailKey } from '../text/emailAddresses.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendRecruitingEvent } from './events.ts'
import type { Interview } from './interviews.ts'
import type { Criterion } from './jsonColumns.ts'
import { evaluations as table } from './tables.ts'

export type Evaluation = typeof table.$inferSelect

export type NewEvaluation = Pick<
  Evaluation,
  'interviewerEmail' | 'overallScore' | 'criteria' | 'recommendation' | 'notes'
>

export const evaluations = record(table, {
  noun: 'evaluation',
  snapshot: { section: 'recruiting', name: 'evaluations' },
})

const ofInterview = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.interviewId, sql.placeholder('interviewId'))))
    .orderBy(desc(table.createdAt), desc(sql`rowid`)),
)

/** Returns the evaluations of an interview, newest first: at most one of each interviewer. */
export const evaluationsOf = (workspace: Workspace, interview: Interview): Evaluation[] =>
  ofInterview.all(workspace, { interviewId: interview.id })

/** Adds the evaluation of an interviewer. Refuses a second one, and a cancelled interview. */
export function evaluate(workspace: Workspace, interview: Interview, fields: NewEvaluation): Evaluation {
  return workspace.write(() => {
    const { status, interviewers } = interview
    if (!EVALUABLE.includes(status)) {
      refuse('wrong_state', `The interview is ${status} and cannot be evaluated.`, {
        facts: { state: status },
        assumed: 'It does not say when an interview can be evaluated; the simulator refuses a cancelled one.',
      })
    }
    const address = emailKey(fields.interviewerEmail)
    const interviewer = interviewers.find((each) => emailKey(each.email) === address)
    if (!interviewer) {
      refuseProperty(
        'interviewerEmail',
        'unknown',
        '{interviewerEmail} must be the address of an interviewer',
      )
    }
    const existing = evaluationsOf(workspace, interview).find(
      (each) => emailKey(each.interviewerEmail) === address,
    )
    if (existing) {
      refuse('conflict', `${interviewer.email} has already evaluated the interview.`, {
        facts: { existing_id: existing.id },
        assumed:
          'It does not say how often an interviewer can evaluate; the simulator takes one evaluation of each.',
      })
    }
    const evaluation = evaluations.insert(workspace, {
      ...fields,
      interviewerEmail: interviewer.email,
      id: workspace.ids.prefixed('eval_'),
      interviewId: interview.id,
      weightedScore: weightedScore(fields.criteria),
      createdAt: workspace.now(),
    })
    appendRecruitingEvent(workspace, 'interview.evaluated', interview.id, { interview, evaluation })
    return evaluation
  })
}

/** Returns the weighted mean of the scores with two decimals; null without criteria. Weights can have any sum. */
export function weightedScore(criteria: readonly Pick<Criterion, 'weight' | 'score'>[]): number | null {
  const weights = criteria.reduce((sum, { weight }) => sum + weight, 0)
  if (weights === 0) return null
  const sum = criteria.reduce((total, { weight, score }) => total + weight * score, 0)
  return Math.round((sum / weights) * 100) / 100
}
