/**
 * The pages of forms: `/f/{slug}`, and `/embed/{slug}` for other sites to embed. Specification part 1, "Forms",
 * shows that they exist and submit; the rest is assumed. A page has the same rules and the same rate limit as the
 * operation. Invalid answers return 422 and the page with its values.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { areProblems, problemSummary, type Typed } from '../../http/webPages/formFields.ts'
import { html } from '../../http/webPages/html.ts'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { acceptForms } from '../../http/uploads/multipart.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { frameOnlyBy, goTo, sendPage } from '../../http/webPages/webPages.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { MAX_FIELDS_OF_FORM, MAX_FILES, MAX_OPTIONS } from '../../state/forms/fields.ts'
import { formWithSlug, isOpen, type Form } from '../../state/forms/forms.ts'
import { submit, SubmissionRefused } from '../../state/forms/submissions.ts'
import { MODES, type Mode } from '../../state/forms/tables.ts'
import { refuse, type PageProblem } from '../../state/model/refusal.ts'
import { say } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { nameOfAnswer, namesOf, readAnswers } from './answerReading.ts'
import { FORM_SCRIPT } from './formScript.ts'
import { FORM_STYLE } from './formStyle.ts'
import { FORM_TEXTS } from './formTexts.ts'
import { questionOf } from './questions.ts'
import { SUBMIT_LIMIT } from './submit.ts'
import { EMBEDDED_PATH, partsOfSlug } from './addresses.ts'

/** The largest file in an answer, in bytes: 5 MiB. */
export const MAX_FILE_SIZE = 5 * 1024 * 1024

interface OfForm {
  Params: { slug: string }
}

type FormRequest = Pick<FastifyRequest<OfForm>, 'params' | 'workspace' | 'query'>

/** Returns the published form at this address. Throws not_found for other forms. */
function formAt({ params, workspace }: Pick<FormRequest, 'params' | 'workspace'>): Form {
  const form = formWithSlug(workspace, partsOfSlug(params.slug)?.slug ?? '')
  return isOpen(form) ? form : refuse('not_found', 'There is no form at this address.')
}

/** Returns the mode in the query string, or the default mode of the form. */
function modeOf({ query }: FormRequest, { defaultMode }: Form): Mode {
  const { mode } = query as { mode?: unknown }
  return MODES.find((each) => each === mode) ?? defaultMode
}

const showPages: Resource = async (pages) => {
  pages.get<OfForm>('/:slug', (request, reply) => {
    const form = formAt(request)
    showForm(reply, request.workspace, form, { mode: modeOf(request, form) })
  })

  pages.get<OfForm>('/:slug/done', (request, reply) => {
    const form = formAt(request)
    letFrame(reply, form)
    sendPage(reply, {
      title: say`${PAGE_TEXTS.thanks} – ${form.title}`,
      script: true,
      body: html`<div class="state good" id="answered">
        <h1>${PAGE_TEXTS.thanks}</h1>
        <p>${form.title}, ${request.workspace.name}</p>
        <p class="quiet written">${form.settings.successMessage ?? FORM_TEXTS.received}</p>
      </div>`,
    })
  })
}

const sendPages: Resource = async (pages) => {
  const limits = { file: MAX_FILE_SIZE, files: MAX_FILES, parts: MAX_FIELDS_OF_FORM * (MAX_OPTIONS + 1) }
  acceptForms(pages, limits, (request) => namesOf(formAt(request as FastifyRequest<OfForm>)))

  pages.post<OfForm>('/:slug', { config: { pageLimit: SUBMIT_LIMIT } }, async (request, reply) => {
    const { workspace, params } = request
    const form = formAt(request)
    const { typed, submission } = await readAnswers(form, request.body, request.server.heavyWork)
    const result = await resultOrProblems(() => submit(workspace, form.id, submission))
    if (areProblems(result)) {
      const retry = { mode: modeOf(request, form), typed, problems: result }
      showForm(reply, workspace, form, retry, 422)
    } else {
      goTo(reply, `${encodeURIComponent(params.slug)}/done`)
    }
    return reply
  })
}

/** Returns the result, or the problems of the answers under the names of the fields in the page. */
async function resultOrProblems<T extends object>(
  run: () => Promise<T>,
): Promise<T | readonly PageProblem[]> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SubmissionRefused)) throw error
    return error.problems.map((problem) => ({ ...problem, field: nameOfAnswer(problem.field) }))
  }
}

interface PageState {
  readonly mode: Mode
  /** The values of the fields. A file must be chosen again. */
  readonly typed?: Typed
  readonly problems?: readonly PageProblem[]
}

function showForm(
  reply: FastifyReply,
  workspace: Workspace,
  form: Form,
  { mode, typed = () => '', problems = [] }: PageState,
  status = 200,
): void {
  letFrame(reply, form)
  const { title, description, fields, settings } = form
  const started = typed('started') || iso(workspace.now())
  sendPage(
    reply,
    {
      title: say`${problems.length > 0 ? PAGE_TEXTS.error : ''}${title} – ${workspace.name}`,
      script: true,
      body: html`<div class="summary">
          <p class="quiet">${workspace.name}</p>
          <h1>${title}</h1>
          ${description !== null && html`<p class="written">${description}</p>`}
        </div>
        ${problems.length > 0 && problemSummary(problems)}
        <form method="post" enctype="multipart/form-data" id="answers" data-mode="${mode}">
          <input type="hidden" name="started" value="${started}" />
          <input type="hidden" name="mode" value="classic" />
          <input type="hidden" name="timing" value="${typed('timing')}" />
          ${
            settings.showProgress &&
            html`<div class="progress" hidden>
              <progress id="progress" aria-label="${FORM_TEXTS.answered}" max="1" value="0"></progress>
              <p class="quiet" id="progress-text" role="status"></p>
            </div>`
          }
          ${fields.map((field) => questionOf(field, fields, typed, problems))}
          <button type="submit">${settings.submitLabel ?? FORM_TEXTS.send}</button>
        </form>`,
    },
    status,
  )
}

function letFrame(reply: FastifyReply, { settings: { embedOrigins } }: Form): void {
  if (embedOrigins !== null && reply.server.pagesBasePath === EMBEDDED_PATH) frameOnlyBy(reply, embedOrigins)
}

/** The pages of forms. A slug also names the workspace. */
export const formPages: PageSet = {
  resources: [showPages, sendPages],
  script: FORM_SCRIPT,
  style: FORM_STYLE,
  workspaceIn: ({ slug = '' }) => partsOfSlug(slug)?.workspace ?? null,
}
