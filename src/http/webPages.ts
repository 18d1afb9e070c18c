/**
 * Pages for people: plain HTML forms that work without scripts, with a policy that lets nothing else run. Whoever has
 * the address may open a page; it names its workspace and the record, and no key is asked for.
 */
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify'
import { because, becauseThroughout, type Cause } from '../state/causes.ts'
import { refuse, Refusal } from '../state/refusal.ts'
import { timelineOf } from '../state/timeline.ts'
import { traceIn } from '../state/trace.ts'
import { databaseHealthOf } from '../state/databaseHealth.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'
import { COMMON_REFUSALS } from './dialect.ts'
import { keepConnection } from './draining.ts'
import type { Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'
import type { PageSet, WebPages } from './definition.ts'
import { asRefusal, unreadable } from './refusals.ts'
import { waitInQueue, afterDueJobs } from './dueJobs.ts'
import { STYLE } from './style.ts'
import { textOf } from './utf8.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where the pages of this scope are. */
    pagesBasePath: string
    /** What they may load: see `allows` of a page set. */
    pagesAllow: readonly string[]
    /** Whether people pay on them. */
    pagesTakePayments: boolean
  }
}

/** Far more than a form of these pages ever sends. */
const FORM_LIMIT = 65_536

const NO_PAGE = 'There is no page at this address.'

const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * Nothing but this server's own style and script, and pictures. Forms stay here too: Chromium applies form-action to
 * redirects, so a page that leads on to somebody else's address does so from the page after the form.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' https: http: data:",
  "form-action 'self'",
  "base-uri 'none'",
]

/** What says in whose frames a page may be; everybody's unless origins are named. */
export const frameAncestors = (origins: readonly string[] | null): string =>
  `frame-ancestors ${origins === null ? '*' : origins.join(' ') || "'none'"}`

const UNFRAMED = "frame-ancestors 'none'"

const headersOf = ({ allows = [] }: Pick<WebPages, 'allows'> = {}, frames = UNFRAMED) => ({
  ...HEADERS,
  ...(frames === UNFRAMED && { 'x-frame-options': 'DENY' }),
  'content-security-policy': [...POLICY, frames, ...allows].join('; '),
})

/** Lets only pages of these origins frame the answer; for pages that may be framed. */
export function frameOnlyBy(reply: FastifyReply, origins: readonly string[] | null): void {
  void reply.headers(headersOf({ allows: reply.server.pagesAllow }, frameAncestors(origins)))
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // The address of a page is all that it takes to pay by it.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Puts pages on the server, once more where others may frame them. */
export function mountPages(app: FastifyInstance, pages: WebPages, workspaces: Workspaces): void {
  mountAt(app, pages.basePath, pages.framed ? frameAncestors(null) : UNFRAMED, pages, workspaces)
  if (pages.framedPath !== undefined) {
    mountAt(app, pages.framedPath, frameAncestors(null), pages, workspaces)
  }
}

function mountAt(
  app: FastifyInstance,
  basePath: string,
  frames: string,
  pages: PageSet,
  workspaces: Workspaces,
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
      (_request, bytes, parsed) => {
        try {
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
      answerWithPage(asPageRefusal(error, request), request, reply, basePath, headers)
    })
    scope.setNotFoundHandler((request, reply) => {
      answerWithPage(new Refusal('no_such_path', NO_PAGE), request, reply, basePath, headers)
    })
    serveAsset(scope, '/style.css', 'text/css; charset=utf-8', STYLE + (pages.style ?? ''))
    if (pages.script !== undefined) {
      serveAsset(scope, '/script.js', 'text/javascript; charset=utf-8', pages.script)
    }
    void scope.register(ofWorkspace(pages, workspaces), { prefix: pages.workspaceIn ? '/' : '/:workspace' })
    done()
  }
  void app.register(plugin, { prefix: basePath })
}

/** Far more than a person types into one line. */
const LONGEST_FIELD = 1000

/** What was typed, from the text of a form. */
function formOf(text: string): URLSearchParams {
  try {
    decodeURIComponent(text)
  } catch {
    refuse('malformed', 'The form is not percent-encoded UTF-8.')
  }
  const form = new URLSearchParams(text)
  for (const value of form.values()) {
    if (value.includes('\0')) refuse('malformed', 'The form holds a NUL byte.')
    if (value.length > LONGEST_FIELD) refuse('too_large', 'A field holds more than this form takes.')
  }
  return form
}

const ofWorkspace =
  (
    { resources, workspaceIn = ({ workspace = '' }) => workspace }: PageSet,
    workspaces: Workspaces,
  ): FastifyPluginCallback =>
  (scope, _options, done) => {
    scope.addHook('onRequest', (request, _reply, next) => {
      try {
        const id = workspaceIn(request.params as Readonly<Record<string, string>>)
        request.workspace = (id === null ? undefined : workspaces.find(id)) ?? refuse('not_found', NO_PAGE)
        afterDueJobs(request.workspace, next)
      } catch (error) {
        next(error as Error)
      }
    })
    scope.addHook('preHandler', waitInQueue)
    scope.addHook('onRoute', (route) => {
      if (route.method === 'POST') route.handler = causing(route.handler)
    })
    for (const resource of resources) void scope.register(resource)
    done()
  }

/** Has what the handler brings about follow from the form that somebody has sent. */
function causing(handler: RouteHandlerMethod): RouteHandlerMethod {
  const run = handler.constructor.name === 'AsyncFunction' ? becauseThroughout : because
  return function (request, reply) {
    return run(formCause(request), () => handler.call(this, request, reply))
  }
}

/** Told in the story when something follows from it, as what people do outside the interfaces. */
function formCause({ workspace, url, headers }: FastifyRequest): Cause {
  const [path = ''] = url.split('?')
  const told = { kind: 'trigger', title: `form sent at ${path}`, ref: path, causedBy: null } as const
  let number: number | undefined
  return {
    numberIn: (other) => (other === workspace ? (number ??= timelineOf(workspace).recordStep(told)) : null),
    trace: () => traceIn(headers),
  }
}

function serveAsset(scope: FastifyInstance, path: string, type: string, text: string): void {
  scope.get(path, (_request, reply) => {
    void reply.type(type).header('cache-control', 'public, max-age=300').send(text)
  })
}

/** A refusal in the words of somebody who looks at a page, who has not heard of operations and bodies. */
function asPageRefusal(error: Error, request: FastifyRequest): Refusal {
  const refusal = asRefusal(error, request)
  if (refusal.reason === 'too_large') return new Refusal('too_large', 'That is more than this form takes.')
  if (refusal.reason === 'unsupported_media_type') {
    return new Refusal('unsupported_media_type', 'A form is sent as application/x-www-form-urlencoded.')
  }
  return refusal
}

/** Says no with a page; `basePath` is that of the pages it belongs to. */
export function answerWithPage(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  basePath: string,
  headers: Readonly<Record<string, string>> = headersOf(),
): void {
  const { status } = COMMON_REFUSALS[refusal.reason]
  if (status >= 500) request.log.error({ req: request, err: refusal.cause ?? refusal }, refusal.message)
  const title = status === 404 ? 'Page not found' : status >= 500 ? 'Something went wrong' : 'Not possible'
  const body = html`<h1>${title}</h1>
    <p>${refusal.message}</p>`
  void reply
    .code(status)
    .headers(headers)
    .type(HTML_TYPE)
    .send(document({ title, body }, wayUp(request.url, basePath)).text)
}

/** What was typed into a field of the form that `request` sends; '' where it has no such field. */
export function typedInto(request: FastifyRequest): Typed {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  return (field) => form.get(field) ?? ''
}

export interface Page {
  readonly title: string
  /** What stands in its `<main>`. */
  readonly body: Markup
  /** Whether it runs the script of its interface's pages. */
  readonly script?: boolean
  /** More for the `<head>`. */
  readonly head?: Content
}

/** Answers with a whole page. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): void {
  const { pagesBasePath, pagesTakePayments } = reply.server
  const { text } = document(page, wayUp(reply.request.url, pagesBasePath), pagesTakePayments)
  const { workspace } = reply.request as { workspace?: Workspace }
  void reply
    .code(status)
    .type(HTML_TYPE)
    .send(workspace?.testCards === false ? withoutTestValues(text) : text)
}

/** A page that nobody pays on in earnest shows what it takes (`payFields.ts`), unless the workspace is to look real. */
const withoutTestValues = (text: string): string =>
  text.replaceAll(/<table class="test-values">(?:[^<]|<(?!\/table>))*<\/table>/g, '')

/**
 * From the page up to the pages' base path, where the style and the script are. Nothing in a page names an address of
 * this server in full, for a proxy may put it below any path.
 */
function wayUp(url: string, basePath: string): string {
  const [path = ''] = url.slice(basePath.length + 1).split('?')
  return '../'.repeat(path.split('/').length - 1) || './'
}

const document = ({ title, body, script = false, head }: Page, up: string, takesPayments = false): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${up}style.css" />
        ${script && html`<script src="${up}script.js" defer></script>`} ${head}
      </head>
      <body>
        <main>${body}</main>
        <footer>Suite Simulator.${takesPayments && ' No money moves here.'}</footer>
      </body>
    </html>`
