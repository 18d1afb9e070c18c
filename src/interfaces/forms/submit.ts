/** Submits a form without a key. Specification part 1, "Forms": "internal route used by published forms". */
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { identify, keyOf } from '../../http/lifecycle/credentials.ts'
import type { RateLimit } from '../../http/lifecycle/rateLimits.ts'
import { afterDueJobs } from '../../http/server/dueJobs.ts'
import { contentTypeOfUpload } from '../../http/uploads/contentTypes.ts'
import { Upload } from '../../http/uploads/uploads.ts'
import { parseOffsetInstant } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import { SentFile, type SentAnswer } from '../../state/forms/answers.ts'
import { workspacesOfForm, type Form } from '../../state/forms/forms.ts'
import { openForm, submit as submitForm, SubmissionRefused } from '../../state/forms/submissions.ts'
import { refuse, Refusal } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { formsDialect } from './dialect.ts'
import { FormId } from './shapes/forms.ts'
import { Submit, SubmitQuery, Submitted } from './shapes/responses.ts'

/** "Public form submit: 10 submissions per minute per IP". Pages and the operation share the limit. */
export const SUBMIT_LIMIT: RateLimit = { name: 'forms.submit', max: 10, windowMs: 60_000, per: 'address' }

export const submit: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Submissions', open: true, limit: SUBMIT_LIMIT })

  app.addHook('onRequest', (request, _reply, done) => {
    try {
      request.workspace = workspaceOf(request)
      afterDueJobs(request.workspace, done)
    } catch (error) {
      done(error as Error)
    }
  })

  at('/api/forms/:formId/submit', { params: FormId }).post({
    id: 'submitForm',
    summary: 'Submit a published form',
    description:
      'This operation is not part of v1. The pages of the form do the same. Copies of a workspace have forms with the same id. The submitUrl of the form names its workspace; a key or the parameter workspace does too.',
    fidelity: assumed(
      'The specification shows the path, that no key is needed, and the limit: 10 a minute for each address, in windows on the clock of the workspace. It shows no request body, response or errors. Assumed: returns 422 when an answer breaks a rule of its field, and 404 when the form is not published. Answers to hidden fields are dropped. A key or the parameter workspace names the workspace. Returns 409 when neither does and several workspaces have the form. A key in the request must be valid.',
    ),
    query: SubmitQuery,
    body: Submit,
    answers: { 201: Submitted },
    refuses: ['conflict', 'credential_unknown', 'credential_expired', 'forbidden'],
    async run({ params, body, workspace }) {
      const form = openForm(workspace, params.formId)
      const { mode = form.defaultMode, respondentEmail = null, startedAt } = body
      const sent = await sentAnswers(form, body.answers)
      const response = await withAnswerPaths(() =>
        submitForm(workspace, form.id, {
          mode,
          respondentEmail,
          startedAt: typeof startedAt === 'string' ? parseOffsetInstant(startedAt) : null,
          sent,
        }),
      )
      return { success: true as const, responseId: response.id }
    },
  })
}

/** Returns the workspace of the form: the one that the query or a key names, or the only one that has the form. */
function workspaceOf(request: FastifyRequest): Workspace {
  const { formId = '' } = request.params as { formId?: string }
  const ofKey = workspaceOfKey(request)
  const named = workspaceOfQuery(request, formId)
  if (ofKey && named && ofKey !== named) {
    const message = 'workspace must be the workspace of the key. Leave one of the two out.'
    refuse('invalid_query', message, { details: [{ field: 'workspace', code: 'not_allowed', message }] })
  }
  return named ?? ofKey ?? onlyWorkspace(request, formId)
}

/** Returns the workspace of the key; undefined without a key, which is optional here. */
function workspaceOfKey(request: FastifyRequest): Workspace | undefined {
  if (keyOf(formsDialect, request) === undefined) return undefined
  return identify({ name: 'forms', dialect: formsDialect }, request, request.server.workspaces).workspace
}

function workspaceOfQuery({ query, server }: FastifyRequest, formId: string): Workspace | undefined {
  const { workspace: named } = query as { workspace?: unknown }
  if (typeof named !== 'string') return undefined
  return server.workspaces.find(named) ?? refuse('not_found', `There is no form ${formId} in ${named}.`)
}

function onlyWorkspace({ server }: FastifyRequest, formId: string): Workspace {
  const [holder, another] = workspacesOfForm(server.workspaces, formId)
  if (another) {
    refuse(
      'conflict',
      `Several workspaces have the form ${formId}. Name one: add ?workspace=ID as in the submitUrl of the form, or send a key of the workspace as X-API-Key.`,
    )
  }
  return holder ?? refuse('not_found', `There is no form ${formId}.`)
}

interface ListedAnswer {
  readonly fieldId: string
  readonly value?: unknown
  readonly timeSeconds?: number
  readonly revisions?: number
}

type Answers = Static<typeof Submit>['answers']

/** Returns the sent answers by the ids of the fields. */
async function sentAnswers({ fields }: Form, answers: Answers): Promise<ReadonlyMap<string, SentAnswer>> {
  const known = new Set(fields.map(({ id }) => id))
  const sent = new Map<string, SentAnswer>()
  const listed: readonly ListedAnswer[] = Array.isArray(answers)
    ? answers
    : Object.entries(answers).map(([fieldId, value]) => ({ fieldId, value }))
  for (const answer of listed) {
    const { fieldId, value = null, timeSeconds = 0, revisions = 0 } = answer
    if (!known.has(fieldId)) refuseAnswer(fieldId, 'not_found', `The form has no field ${fieldId}`)
    if (sent.has(fieldId)) refuseAnswer(fieldId, 'not_unique', `${fieldId} must be answered once`)
    sent.set(fieldId, { value: await withFile(value), timeSeconds, revisions })
  }
  return sent
}

function refuseAnswer(fieldId: string, code: string, message: string): never {
  throw new Refusal('invalid', message, { details: [{ field: `answers.${fieldId}`, code, message }] })
}

async function withFile(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { name, content } = value as { name: string; content: string }
  const bytes = Buffer.from(content, 'base64')
  const contentType = await contentTypeOfUpload(new Upload(name, '', bytes.length, { bytes }))
  return new SentFile({ name, contentType, source: bytes }, bytes.length)
}

/** Reports refused answers under their paths in the request body. */
async function withAnswerPaths<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SubmissionRefused)) throw error
    const { details: problems = [] } = error.info
    const details = problems.map((problem) => ({ ...problem, field: `answers.${problem.field}` }))
    throw new Refusal('invalid', error.message, { details })
  }
}
