/**
 * HTML pages: forms that work without scripts, with a policy that blocks all other code. Anyone with the
 * address can open a page. The address names the workspace and the record; no key is needed.
 */
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  preValidationHookHandler,
} from 'fastify'
import { withCause, type Cause } from '../../state/timeline/causes.ts'
import { refuse, Refusal } from '../../state/model/refusal.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import { traceIn } from '../../state/timeline/trace.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import { LANGUAGES, textIn, type Language, type Spoken, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { COMMON_REFUSALS } from '../definition/dialect.ts'
import { keepConnection } from '../uploads/draining.ts'
import type { Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'
import { linkTo, queryOf, readerOf } from './languages.ts'
import { ERROR_TEXTS, PAGE_TEXTS, REFUSALS_IN_SPANISH } from './texts.ts'
import type { LoadedInterface, PageSet } from '../definition/definition.ts'
import { asRefusal, isFailure, isUnreadBody, unreadable } from '../definition/refusals.ts'
import { waitInQueue, afterDueJobs, mustHaveRoom } from '../server/dueJobs.ts'
import { STYLE } from './style.ts'
import { mustBeUtf8, textOf } from '../server/json.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The base path of the pages of this scope. */
    pagesBasePath: string
    /** Additions to the content policy: see `allows` of a page set. */
    pagesAllow: readonly string[]
    /** Whether the pages take payments. */
    pagesTakePayments: boolean
  }
}

/** Maximum bytes of a form, far more than these pages send. */
const FORM_LIMIT = 65_536

const PAGE_NOT_FOUND = 'There is no page at this address.'
const noSuchPage = (): Refusal => new Refusal('no_such_path', PAGE_NOT_FOUND)

const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * Allows only this server's style and script, and pictures. Chromium applies form-action to redirects, so a
 * redirect to another site must happen on the page after the form.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' https: http: data:",
  "form-action 'self'",
  "base-uri 'none'",
]

/** Returns the frame-ancestors policy; every origin is allowed unless origins are named. */
export const frameAncestors = (origins: readonly string[] | null): string =>
  `frame-ancestors ${origins === null ? '*' : origins.join(' ') || "'none'"}`

const UNFRAMED = "frame-ancestors 'none'"

const headersOf = ({ allows = [] }: Pick<PageSet, 'allows'> = {}, frames = UNFRAMED) => ({
  ...HEADERS,
  ...(frames === UNFRAMED && { 'x-frame-options': 'DENY' }),
  'content-security-policy': [...POLICY, frames, ...allows].join('; '),
})

/** Allows only these origins to frame the response; for pages that may be framed. */
export function frameOnlyBy(reply: FastifyReply, origins: readonly string[] | null): void {
  void reply.headers(headersOf({ allows: reply.server.pagesAllow }, frameAncestors(origins)))
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // Anyone with the address of a page can pay on it.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Mounts the pages, and a second time for framing. `injectFault` applies the faults of the workspace. */
export function mountPages(
  app: FastifyInstance,
  { pages, pagesPath, framedPagesPath }: Pick<LoadedInterface, 'pages' | 'pagesPath' | 'framedPagesPath'>,
  workspaces: Registry,
  injectFault: preValidationHookHandler,
): void {
  if (!pages || pagesPath === undefined) return
  const contents = ofWorkspace(pages, workspaces, injectFault)
  mountAt(app, pagesPath, pages.framed ? frameAncestors(null) : UNFRAMED, pages, workspaces, contents)
  if (framedPagesPath !== undefined) {
    mountAt(app, framedPagesPath, frameAncestors(null), pages, workspaces, contents)
  }
}

function mountAt(
  app: FastifyInstance,
  basePath: string,
  frames: string,
  pages: PageSet,
  workspaces: Registry,
  contents: FastifyPluginCallback,
): void {
  const headers = headersOf(pages, frames)
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    scope.decorate('pagesBasePath', basePath)
    scope.decorate('pagesAllow', pages.allows ?? [])
    scope.decorate('pagesTakePayments', pages.takesPayments ?? false)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT },
      (request, bytes, parsed) => {
        try {
          mustBeUtf8(request)
          parsed(null, formOf(textOf(bytes as Buffer, 'The form')))
        } catch (error) {
          parsed(error as Error)
        }
      },
    )
    scope.addHook('onRequest', (request, reply, next) => {
      reply.type(HTML_TYPE).headers(headers)
      next(unreadable(request))
    })
    scope.setErrorHandler((error: Error, request, reply) => {
      databaseHealthOf(workspaces.database).report(error)
      keepConnection(request, reply)
      const refusal = isUnreadBody(error, request) ? noSuchPage() : asPageRefusal(error, request)
      sendErrorPage(refusal, request, reply, basePath, headers)
    })
    scope.setNotFoundHandler((request, reply) => {
      sendErrorPage(noSuchPage(), request, reply, basePath, headers)
    })
    serveAsset(scope, '/style.css', 'text/css; charset=utf-8', STYLE + (pages.style ?? ''))
    serveAsset(scope, '/sent.js', 'text/javascript; charset=utf-8', SENT_SCRIPT)
    if (pages.script !== undefined) {
      serveAsset(scope, '/script.js', 'text/javascript; charset=utf-8', pages.script)
    }
    void scope.register(contents, { prefix: pages.workspaceIn ? '/' : '/:workspace' })
    done()
  }
  void app.register(plugin, { prefix: basePath })
}

/** Makes the answer to a form an entry of the history that Back and a reload open with GET, without the form. */
const SENT_SCRIPT = `history.replaceState(history.state, '', location.href)\n`

/** Maximum characters of a field, far more than a person types. */
const LONGEST_FIELD = 1000

/** Parses the text of a form. */
function formOf(text: string): URLSearchParams {
  try {
    decodeURIComponent(text)
  } catch {
    refuse('malformed', 'The form is not percent-encoded UTF-8.')
  }
  const form = new URLSearchParams(text)
  for (const value of form.values()) {
    if (value.includes('\0')) refuse('malformed', 'The form contains a NUL byte.')
    if (value.length > LONGEST_FIELD) refuse('too_large', 'A field is longer than this form accepts.')
  }
  return form
}

const ofWorkspace =
  (
    { resources, workspaceIn = ({ workspace = '' }) => workspace }: PageSet,
    workspaces: Registry,
    injectFault: preValidationHookHandler,
  ): FastifyPluginCallback =>
  (scope, _options, done) => {
    scope.addHook('onRequest', (request, _reply, next) => {
      try {
        const id = workspaceIn(request.params as Readonly<Record<string, string>>)
        request.workspace =
          (id === null ? undefined : workspaces.find(id)) ?? refuse('not_found', PAGE_NOT_FOUND)
        afterDueJobs(request.workspace, (error) => {
          if (error || request.method !== 'POST') next(error)
          else mustHaveRoom(request, next)
        })
      } catch (error) {
        next(error as Error)
      }
    })
    scope.addHook('preValidation', injectFault)
    scope.addHook('preHandler', waitInQueue)
    // The form is the cause of the handler's effects.
    scope.addHook('preHandler', (request, _reply, next) => {
      if (request.method === 'POST') withCause(formCause(request), next)
      else next()
    })
    for (const resource of resources) void scope.register(resource)
    done()
  }

/**
 * The form as a cause, recorded on the timeline when it has effects, like other actions outside the
 * interfaces.
 */
function formCause(request: FastifyRequest): Cause {
  const { workspace, url, headers } = request
  const [path = ''] = url.split('?')
  const step = { kind: 'trigger', title: `form sent at ${path}`, ref: path, causedBy: null } as const
  let number: number | undefined
  return {
    numberIn: (other) => (other === workspace ? (number ??= timelineOf(workspace).recordStep(step)) : null),
    trace: () => traceIn(headers),
    language: () => readerOf(request).language,
  }
}

/** Serves an asset. Only its address names its language, because it may be cached. */
function serveAsset(scope: FastifyInstance, path: string, type: string, text: Text): void {
  scope.get(path, ({ url }, reply) => {
    const { language } = readerOf({ url, headers: {} })
    void reply.type(type).header('cache-control', 'public, max-age=300').send(textIn(text, language))
  })
}

/** Converts an error to a refusal without API terms such as "operation" and "body". */
function asPageRefusal(error: Error, request: FastifyRequest): Refusal {
  const refusal = asRefusal(error, request)
  if (refusal.reason === 'too_large')
    return new Refusal('too_large', 'The form is larger than this page accepts.')
  if (refusal.reason === 'unsupported_media_type' && refusal !== error) {
    return new Refusal(
      'unsupported_media_type',
      'The form must be sent as application/x-www-form-urlencoded.',
    )
  }
  return refusal
}

/** Responds with an error page; `basePath` is that of the pages it belongs to. */
export function sendErrorPage(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  basePath: string,
  headers: Readonly<Record<string, string>> = headersOf(),
): void {
  const { status } = COMMON_REFUSALS[refusal.reason]
  if (isFailure(refusal, status))
    request.log.error({ req: request, err: refusal.cause ?? refusal }, refusal.message)
  const { notFound, failed, refused } = ERROR_TEXTS
  const title = status === 404 ? notFound : isFailure(refusal, status) ? failed : refused
  const message: Text = (language) =>
    language === 'es' ? REFUSALS_IN_SPANISH[refusal.reason] : refusal.message
  const body = html`<h1>${title}</h1>
    <p>${message}</p>`
  void reply.code(status).headers(headers)
  sendDocument(request, reply, { title, body }, pathToBase(request.url, basePath))
}

/** Returns a function that reads the fields of the request's form; '' for a missing field. */
export function typedInto(request: FastifyRequest): Typed {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  return (field) => form.get(field) ?? ''
}

export interface Page {
  readonly title: Spoken
  /** The content of `<main>`. */
  readonly body: Markup
  /** Whether the page runs the script of the interface's pages. */
  readonly script?: boolean
  /** Additional content of `<head>`. */
  readonly head?: Content
}

/** Sends a page. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): void {
  const { pagesBasePath, pagesTakePayments } = reply.server
  const { method, url } = reply.request
  const up = pathToBase(url, pagesBasePath)
  const sent = method === 'POST' && html`<script src="${up}sent.js"></script>`
  void reply.code(status)
  const head = html`${sent}${page.head}`
  sendDocument(reply.request, reply, { ...page, head }, up, pagesTakePayments)
}

/** Sends a page in the language of its reader. */
function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  up: string,
  takesPayments = false,
): void {
  const { language, isChosen } = readerOf(request)
  const links = languageLinks(request.url, language)
  const text = document(page, up, takesPayments, links).render(language, isChosen)
  const { workspace } = request as { workspace?: Workspace }
  reply.raw.appendHeader('vary', 'Accept-Language')
  void reply
    .header('content-language', language)
    .type(HTML_TYPE)
    .send(workspace?.testCards === false ? withoutTestValues(text) : text)
}

/** Links this page in the other languages. */
function languageLinks(url: string, current: Language): Markup {
  const addressIn = (language: Language): string => {
    const query = queryOf(url)
    query.set('lang', language)
    return `?${query.toString()}`
  }
  const links = LANGUAGES.map((language) => {
    const name = NAMES[language]
    return language === current
      ? html` <span aria-current="true">${name}</span>`
      : html` <a href="${addressIn(language)}" hreflang="${language}" lang="${language}">${name}</a>`
  })
  return html`<nav aria-label="${PAGE_TEXTS.languages}">${links}</nav>`
}

/** The languages in their own words. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/** Redirects after a form. The path is relative, because a proxy may serve the pages below any path. */
export function goTo(reply: FastifyReply, path: string): void {
  const { language, isChosen } = readerOf(reply.request)
  void reply.redirect(linkTo(path)(language, isChosen), 303)
}

/** Removes the test values (`payFields.ts`) if the workspace hides them. */
const withoutTestValues = (text: string): string =>
  text.replaceAll(/<table class="test-values">(?:[^<]|<(?!\/table>))*<\/table>/g, '')

/**
 * Returns the relative path to the pages' base path, which has the style and the script. Pages contain no
 * full URLs of this server, because a proxy may mount it below any path.
 */
function pathToBase(url: string, basePath: string): string {
  const [path = ''] = url.slice(basePath.length + 1).split('?')
  return '../'.repeat(path.split('/').length - 1) || './'
}

const document = (
  { title, body, script = false, head }: Page,
  up: string,
  takesPayments: boolean,
  languages: Content,
): Markup =>
  html`<!doctype html>
    <html lang="${(language) => language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${up}style.css" />
        ${script && html`<script src="${up}script.js${(language) => language !== 'en' && `?lang=${language}`}" defer></script>`}
        ${head}
      </head>
      <body>
        <main>${body}</main>
        <footer>Suite Simulator.${takesPayments && PAGE_TEXTS.noMoney}</footer>
        ${languages}
      </body>
    </html>`
