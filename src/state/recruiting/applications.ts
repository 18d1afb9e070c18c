/** Operations on candidates and applications. Specification part 1, "Candidate stage", "Recruiting". */
import { isDeepStrictEqual } from 'node:util'
import { sendEmail } from '../shared/emails.ts'
import { mustMove } from '../model/machine.ts'
import { refuse } from '../model/refusal.ts'
import { removeFile } from '../shared/storedFiles.ts'
import { isChange } from '../storage/unchanged.ts'
import { say } from '../text/languages.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import {
  allSkills,
  applicationOf,
  applications,
  updateApplicationsOf,
  candidates,
  candidateWithEmail,
  notes,
  stageChanges,
  type Application,
  type Candidate,
  type Note,
  type StageChange,
} from './candidates.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import { appendRecruitingEvent } from './events.ts'
import { applicationMachine, FUNNEL, MOVE_TO, type Stage } from './machines.ts'
import { matchScore } from './matching.ts'
import { vacancies, type Vacancy } from './vacancies.ts'

export type Profile = { readonly [Field in ProfileField]?: Candidate[Field] }

type ProfileField =
  | 'phone'
  | 'country'
  | 'city'
  | 'experienceYears'
  | 'technicalSkills'
  | 'softSkills'
  | 'availability'
  | 'preferredModality'
  | 'salaryExpectation'
  | 'summary'
  | 'jobs'
  | 'education'
  | 'languages'
  | 'cvFileId'
  | 'portfolioUrl'
  | 'linkedinUrl'
  | 'tags'
  | 'source'

export type NewCandidate = Profile & Pick<Candidate, 'name' | 'email'>

/** The default source of an application. */
export const NO_SOURCE = 'direct'

/** Adds a candidate without an application. Call only inside a `write`. */
export function addCandidate(workspace: Workspace, fields: NewCandidate): Candidate {
  const now = workspace.now()
  return candidates.insert(workspace, {
    technicalSkills: [],
    softSkills: [],
    jobs: [],
    education: [],
    languages: [],
    tags: [],
    ...fields,
    id: workspace.ids.prefixed('cand_'),
    createdAt: now,
    updatedAt: now,
  })
}

/**
 * Adds an application to a published vacancy and sends a confirmation by e-mail (assumed). If a candidate with the e-mail
 * address exists, the application is merged into that candidate: new values replace the stored ones, lists are joined, and
 * what it leaves out stays. A second application for the same vacancy keeps the first one in its stage.
 */
export function apply(
  workspace: Workspace,
  vacancy: Vacancy,
  fields: NewCandidate,
): { readonly candidate: Candidate; readonly application: Application } {
  return workspace.write(() => {
    if (vacancy.status !== 'published') {
      refuse(
        'wrong_state',
        `The vacancy ${vacancy.id} is ${vacancy.status}. It accepts applications only while it is published.`,
        { facts: { state: vacancy.status } },
      )
    }
    const candidate = addOrMergeCandidate(workspace, fields)
    const earlier = applicationOf(workspace, vacancy.id, candidate.id)
    if (earlier) return { candidate, application: earlier }
    const now = workspace.now()
    const application = applications.insert(workspace, {
      id: workspace.ids.prefixed('app_'),
      vacancyId: vacancy.id,
      candidateId: candidate.id,
      matchScore: matchScore(vacancy, { ...candidate, skills: allSkills(candidate) }),
      source: fields.source ?? NO_SOURCE,
      appliedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    vacancies.update(workspace, vacancy, { applicationsCount: vacancy.applicationsCount + 1 })
    confirmApplication(workspace, vacancy, candidate)
    appendRecruitingEvent(workspace, 'candidate.applied', candidate.id, { candidate, application })
    return { candidate, application }
  })
}

function confirmApplication(workspace: Workspace, { title }: Vacancy, { name, email }: Candidate): void {
  sendEmail(workspace, {
    interface: 'recruiting',
    to: email,
    subject: (language) =>
      EMAIL_TEXTS.receivedSubject(title, workspace.name)(language).replaceAll(/\s+/g, ' '),
    text: say`${EMAIL_TEXTS.dear(name)}\n\n${EMAIL_TEXTS.received}\n\n${title}\n${workspace.name}\n\n${EMAIL_TEXTS.automatic}\n`,
  })
}

function addOrMergeCandidate(workspace: Workspace, fields: NewCandidate): Candidate {
  const existing = candidateWithEmail(workspace, fields.email)
  if (!existing) return addCandidate(workspace, fields)
  const merged = mergedProfile(existing, fields)
  if (!isChange(existing, merged)) return existing
  const candidate = candidates.update(workspace, existing, { ...merged, updatedAt: workspace.now() })
  if (existing.cvFileId !== null && candidate.cvFileId !== existing.cvFileId)
    removeFile(workspace, existing.cvFileId)
  updateApplicationsOf(workspace, candidate.id)
  return candidate
}

/** Returns the values of an application that a candidate gets: not those that it leaves blank, and joined lists. */
function mergedProfile(existing: Candidate, fields: NewCandidate): NewCandidate {
  const merged = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || (value as unknown) === '') return []
    const before = existing[name as keyof NewCandidate]
    if (!Array.isArray(value) || !Array.isArray(before)) return [[name, value]]
    const added = value.filter((each) => !before.some((known) => isDeepStrictEqual(known, each)))
    return [[name, [...(before as unknown[]), ...(added as unknown[])]]]
  })
  const { source } = existing
  return { ...(Object.fromEntries(merged) as unknown as NewCandidate), ...(source !== null && { source }) }
}

export interface StageMove {
  readonly stage: Stage
  readonly notes: string | null
  readonly notify: boolean
}

/** Moves a candidate of a vacancy to a stage. A move to the current stage only stores its notes: no event, no e-mail. */
export function moveStage(
  workspace: Workspace,
  vacancy: Vacancy,
  candidate: Candidate,
  author: User,
  { stage, notes: remark, notify }: StageMove,
): Pick<StageChange, 'previousStage' | 'newStage' | 'changedAt' | 'changedBy' | 'notificationSent'> {
  const application = mustHaveApplied(workspace, vacancy, candidate)
  return workspace.write(() => {
    const newStage = mustMove(applicationMachine, application.stage, MOVE_TO[stage])
    const now = workspace.now()
    const change = {
      id: workspace.ids.prefixed('chg_'),
      applicationId: application.id,
      previousStage: application.stage,
      newStage,
      notes: remark,
      changedBy: author.id,
      changedAt: now,
      notificationSent: notify && newStage !== application.stage,
    }
    if (newStage === application.stage) {
      return remark === null || remark.trim() === '' ? change : stageChanges.insert(workspace, change)
    }
    const rank = FUNNEL.findIndex((each) => each === newStage)
    const moved = applications.update(workspace, application, {
      stage: newStage,
      furthest: Math.max(application.furthest, rank),
      hiredAt: newStage === 'hired' ? now : null,
      updatedAt: now,
    })
    const inserted = stageChanges.insert(workspace, change)
    if (notify) sendStageEmail(workspace, vacancy, candidate, newStage)
    const data = { candidate, application: moved, change: inserted }
    appendRecruitingEvent(workspace, 'candidate.stage_changed', candidate.id, data)
    return inserted
  })
}

/** Returns the application, or refuses a candidate who has not applied for this vacancy. */
export const mustHaveApplied = (workspace: Workspace, vacancy: Vacancy, candidate: Candidate): Application =>
  applicationOf(workspace, vacancy.id, candidate.id) ??
  refuse('not_found', `The candidate ${candidate.id} has not applied for the vacancy ${vacancy.id}.`)

function sendStageEmail(workspace: Workspace, vacancy: Vacancy, candidate: Candidate, stage: Stage): void {
  sendEmail(workspace, {
    interface: 'recruiting',
    to: candidate.email,
    subject: EMAIL_TEXTS.stageSubject(vacancy.title),
    text: say`${EMAIL_TEXTS.dear(candidate.name)}\n\n${EMAIL_TEXTS.stages[stage]}\n\n${vacancy.title}\n${workspace.name}\n`,
  })
}

/** Adds a note of a user about a candidate. */
export function addNote(
  workspace: Workspace,
  candidate: Candidate,
  author: User,
  { content, visibility }: Pick<Note, 'content' | 'visibility'>,
): Note {
  return workspace.write(() => {
    const note = notes.insert(workspace, {
      id: workspace.ids.prefixed('note_'),
      candidateId: candidate.id,
      content,
      visibility,
      authorId: author.id,
      createdAt: workspace.now(),
    })
    // Webhooks must not receive private notes.
    if (visibility !== 'private') {
      appendRecruitingEvent(workspace, 'candidate.note_added', candidate.id, { note })
    }
    return note
  })
}
