/** Submits a form. Specification part 1, "Forms": "internal route used by published forms", open to everybody. */
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../../http/definition.ts'
import { callerOf } from '../../http/credentials.ts'
import { operationsOf } from '../../http/operation.ts'
import type { RateLimit } from '../../http/rateLimits.ts'
import { whenSettled } from '../../http/settling.ts'
import { contentTypeOfUpload } from '../../http/contentTypes.ts'
import { Upload } from '../../http/uploads.ts'
import { parseWritten } from '../../state/clock.ts'
import { assumed } from '../../state/fidelity.ts'
import { SentFile, type Sent } from '../../state/forms/answers.ts'
import { workspaceOfForm, type Form } from '../../state/forms/forms.ts'
import { openForm, submit as submitForm, SubmissionRefused } from '../../state/forms/submissions.ts'
import { refuse, Refusal } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { formsDialect } from './dialect.ts'
import { FormId } from './schemas/forms.ts'
import { Submit, SubmitQuery, Submitted } from './schemas/responses.ts'

/** "Public form submit: 10 submissions per minute per IP"; pages and the operation count together. */
export const SUBMIT_LIMIT: RateLimit = { name: 'forms.submit', max: 10, windowMs: 60_000, per: 'address' }

const submitOperation = operationsOf({ tag: 'Submissions', open: true, limit: SUBMIT_LIMIT })

export const submit: Resource = async (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      request.workspace = workspaceOf(request)
      whenSettled(request.workspace, done)
    } catch (error) {
      done(error as Error)
    }
  })

  app.post(
    '/api/forms/:formId/submit',
    {
      schema: { params: FormId, querystring: SubmitQuery, body: Submit },
      config: submitOperation({
        id: 'submitForm',
        summary: 'Submit a published form',
        description: 'No part of v1. A person does the same on the pages of the form.',
        fidelity: assumed(
          'The path, that it needs no key and its limit are shown: 10 a minute for each address, in windows on the clock of the workspace. Body, answer and refusals are not: an answer that breaks a rule of its field is 422, a form that is not published 404. Answers to fields that were not asked are dropped.',
        ),
        answers: { 201: Submitted },
      }),
    },
    async ({ params, body, workspace }, reply) => {
      const form = openForm(workspace, params.formId)
      const { mode = form.defaultMode, respondentEmail = null, startedAt } = body
      const sent = await sentAnswers(form, body.answers)
      const response = await told(() =>
        submitForm(workspace, form.id, {
          mode,
          respondentEmail,
          startedAt: typeof startedAt === 'string' ? parseWritten(startedAt) : null,
          sent,
        }),
      )
      reply.code(201)
      return { success: true as const, responseId: response.id }
    },
  )
}

/** The workspace whose form is meant. */
function workspaceOf(request: FastifyRequest): Workspace {
  const { workspaces } = request.server
  const { formId = '' } = request.params as { formId?: string }
  const { workspace: named } = request.query as { workspace?: unknown }
  const workspace =
    typeof named === 'string'
      ? workspaces.find(named)
      : (callerOf(formsDialect, request, workspaces)?.workspace ?? workspaceOfForm(workspaces, formId))
  return workspace ?? refuse('not_found', `There is no form ${formId}.`)
}

interface ListedAnswer {
  readonly fieldId: string
  readonly value?: unknown
  readonly timeSeconds?: number
  readonly revisions?: number
}

type Answers = Static<typeof Submit>['answers']

/** What was sent, by the ids of the form's fields. */
async function sentAnswers({ fields }: Form, answers: Answers): Promise<ReadonlyMap<string, Sent>> {
  const known = new Set(fields.map(({ id }) => id))
  const sent = new Map<string, Sent>()
  const listed: readonly ListedAnswer[] = Array.isArray(answers)
    ? answers
    : Object.entries(answers).map(([fieldId, value]) => ({ fieldId, value }))
  for (const answer of listed) {
    const { fieldId, value = null, timeSeconds = 0, revisions = 0 } = answer
    if (!known.has(fieldId)) refuseAnswer(fieldId, 'not_found', `The form has no field ${fieldId}`)
    if (sent.has(fieldId)) refuseAnswer(fieldId, 'not_unique', `${fieldId} is answered twice`)
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

/** Refused answers under their names in the body. */
async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SubmissionRefused)) throw error
    const details = error.problems.map((problem) => ({ ...problem, field: `answers.${problem.field}` }))
    throw new Refusal('invalid', error.message, { details })
  }
}
