/** Submits a form: validates the answers and stores their files and the response. Specification part 1, "Forms". */
import { refuse, Refusal, type PageProblem } from '../model/refusal.ts'
import { storeFiles, type StoredFile } from '../shared/storedFiles.ts'
import { textIn } from '../text/languages.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { validateAnswers, SentFile, type ValidAnswer, type SentAnswer } from './answers.ts'
import { appendFormEvent } from './events.ts'
import { forms, isOpen, type Form } from './forms.ts'
import { responses, type Response } from './responseRecords.ts'
import type { AnswerValue, FieldAnswer, Mode } from './tables.ts'

export interface Submission {
  readonly mode: Mode
  /** In ms since the epoch; null if the request does not say. */
  readonly startedAt: number | null
  /** Defaults to the first answer of the type email. */
  readonly respondentEmail: string | null
  readonly sent: ReadonlyMap<string, SentAnswer>
}

/** Returns a form that people can answer. Throws not_found for other forms. */
export function openForm(workspace: Workspace, id: string): Form {
  const form = forms.get(workspace, id)
  return isOpen(form) ? form : refuse('not_found', `There is no published form ${id}.`)
}

/** Stores a submission. Throws a SubmissionRefused with a problem for each invalid field. */
export async function submit(workspace: Workspace, id: string, submission: Submission): Promise<Response> {
  const { answers, problems } = validateAnswers(openForm(workspace, id).fields, submission.sent)
  if (problems.length > 0) throw new SubmissionRefused(problems)
  const files = answers.flatMap(({ value }) => (value instanceof SentFile ? [value.file] : []))
  return storeFiles(workspace, files, (stored) => {
    // The form may have changed while its files were uploaded.
    const form = openForm(workspace, id)
    return storeResponse(workspace, form, submission, withStoredFiles(answers, stored))
  })
}

export class SubmissionRefused extends Refusal {
  readonly problems: readonly PageProblem[]

  constructor(problems: readonly PageProblem[]) {
    const details = problems.map((problem) => ({ ...problem, message: textIn(problem.message, 'en') }))
    super('invalid', details[0]?.message ?? '', { details })
    this.problems = problems
  }
}

/** Returns the answers with their stored files. */
function withStoredFiles(answers: readonly ValidAnswer[], stored: readonly StoredFile[]): FieldAnswer[] {
  const remaining = [...stored]
  const valueOf = (value: ValidAnswer['value']): AnswerValue => {
    if (!(value instanceof SentFile)) return value
    const file = remaining.shift()
    return file ? { fileId: file.id, name: file.name, contentType: file.contentType, size: file.size } : null
  }
  return answers.map(({ field, value, timeSeconds, revisions }) => ({
    fieldId: field.id,
    label: field.label,
    type: field.type,
    value: valueOf(value),
    timeSeconds,
    revisions,
  }))
}

function storeResponse(
  workspace: Workspace,
  form: Form,
  { mode, startedAt, respondentEmail }: Submission,
  answers: readonly FieldAnswer[],
): Response {
  const now = workspace.now()
  const began = startedAt === null || startedAt > now ? now : startedAt
  const email = answers.find(({ type, value }) => type === 'email' && value !== null)?.value
  const answered = answers.filter(({ value }) => value !== null).length
  const response = responses.insert(workspace, {
    id: workspace.ids.uuid('response'),
    formId: form.id,
    mode,
    respondentEmail: respondentEmail ?? (typeof email === 'string' ? email : null),
    answers,
    startedAt: began,
    completedAt: now,
    totalTimeSeconds: Math.round((now - began) / 1000),
    completionPercentage: answers.length === 0 ? 100 : Math.round((answered / answers.length) * 100),
    createdAt: now,
  })
  appendFormEvent(workspace, 'response.completed', response.id, { form, response })
  return response
}
