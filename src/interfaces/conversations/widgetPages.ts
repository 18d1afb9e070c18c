/**
 * The pages of the web widget, on which a visitor writes as a contact (assumed; the specification shows no pages). The first page
 * asks for the name; it leads to the page of the contact, whose address contains a token. A cookie leads back (`visitors.ts`).
 */
import type { Static } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  areProblems,
  labelled,
  problemSummary,
  textField,
  type Typed,
} from '../../http/webPages/formFields.ts'
import { html, type Content } from '../../http/webPages/html.ts'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { frameOnlyBy, goTo, sendPage, typedInto } from '../../http/webPages/webPages.ts'
import type { Contact } from '../../state/conversations/contacts.ts'
import { automaticReply } from '../../state/conversations/automation.ts'
import { lastConversationOf, type Conversation } from '../../state/conversations/conversations.ts'
import { inboxes, isWidget, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Message } from '../../state/conversations/messages.ts'
import { MAX_SHOWN, messagesForContact, writeAsContact } from '../../state/conversations/widget.ts'
import { isEmailAddress, MAX_EMAIL_LENGTH } from '../../state/text/emailAddresses.ts'
import { truncate } from '../../state/text/truncate.ts'
import { refuse, type PageProblem } from '../../state/model/refusal.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { contactOfToken, contactToken, pubsubToken } from './contactTokens.ts'
import { renderMarkdown } from './markdown.ts'
import type { Message as MessageSchema } from './shapes/conversations.ts'
import { messageView } from './views.ts'
import { setVisitorCookie, knownVisitor, updateOrCreateVisitor, type VisitorFields } from './visitors.ts'
import { WIDGET_SCRIPT } from './widgetScript.ts'
import { WIDGET_STYLE } from './widgetStyle.ts'
import { WIDGET_TEXTS } from './widgetTexts.ts'

interface OfInbox {
  Params: { inbox: string }
}

interface OfContact {
  Params: { inbox: string; token: string }
}

const LONGEST_NAME = 200

/** The longest message in characters: the limit of a form field on these pages. */
const LONGEST_TEXT = 1000

/** Returns the inbox of a widget and lets its website frame the page. A disconnected inbox has no page. */
function widgetOf({ workspace, params }: FastifyRequest<OfInbox>, reply: FastifyReply): Inbox {
  const inbox = inboxes.get(workspace, params.inbox)
  if (!isWidget(inbox)) inboxes.noSuch(params.inbox)
  frameOnlyBy(reply, framersOf(inbox))
  return inbox
}

/** This server, and this machine for websites in development. */
const OWN_FRAMERS = ["'self'", 'http://localhost:*', 'http://127.0.0.1:*']

/** Returns the website of the inbox and its subdomains as Content-Security-Policy sources. */
function framersOf({ websiteUrl }: Inbox): string[] {
  const url = websiteUrl === null || websiteUrl.includes('://') ? websiteUrl : `https://${websiteUrl}`
  if (url === null || !URL.canParse(url)) return OWN_FRAMERS
  const { protocol, host } = new URL(url)
  // Other characters of a host could add directives to the policy.
  if (!/^[\w.-]+(?::\d+)?$/.test(host)) return OWN_FRAMERS
  // A domain without a scheme allows http and https.
  const sources = [host, `*.${host}`].map((name) => (url === websiteUrl ? `${protocol}//${name}` : name))
  return [...OWN_FRAMERS, ...sources]
}

const contactOf = (workspace: Workspace, inbox: Inbox, token: string): Contact =>
  contactOfToken(workspace, inbox, token) ?? refuse('not_found', 'There is no page at this address.')

interface OfInboxAnew extends OfInbox {
  Querystring: { new?: unknown }
}

const widget: Resource = async (pages) => {
  pages.get<OfInboxAnew>('/:inbox', (request, reply) => {
    const { workspace, query } = request
    const inbox = widgetOf(request, reply)
    const known = query.new === undefined && knownVisitor(request, inbox)
    if (known) goToTalk(reply, workspace, inbox, known)
    else showWho(reply, inbox, workspace)
  })

  pages.post<OfInboxAnew>('/:inbox', (request, reply) => {
    const { workspace, query } = request
    const inbox = widgetOf(request, reply)
    const typed = typedInto(request)
    const read = readWho(typed)
    if (areProblems(read)) {
      showWho(reply, inbox, workspace, typed, read)
      return
    }
    const known = query.new === undefined ? knownVisitor(request, inbox) : undefined
    const contact = updateOrCreateVisitor(workspace, known, read)
    setVisitorCookie(reply, workspace, inbox, contact)
    goToTalk(reply, workspace, inbox, contact)
  })

  pages.get<OfContact>('/:inbox/:token', (request, reply) => {
    const { workspace, params } = request
    const inbox = widgetOf(request, reply)
    showTalk(reply, workspace, inbox, contactOf(workspace, inbox, params.token))
  })

  pages.post<OfContact>('/:inbox/:token', (request, reply) => {
    const { workspace, params } = request
    const inbox = widgetOf(request, reply)
    const contact = contactOf(workspace, inbox, params.token)
    const text = typedInto(request)('text').replaceAll('\r\n', '\n').trim()
    const problems = problemsOf(text)
    if (problems.length > 0) {
      showTalk(reply, workspace, inbox, contact, text, problems)
      return
    }
    writeAsContact(workspace, inbox, contact, text)
    goTo(reply, encodeURIComponent(params.token))
  })
}

function goToTalk(reply: FastifyReply, workspace: Workspace, inbox: Inbox, contact: Contact): void {
  const token = encodeURIComponent(contactToken(workspace, inbox, contact))
  goTo(reply, `${encodeURIComponent(inbox.id)}/${token}`)
}

const problem = (field: string, code: string, message: Text): PageProblem => ({ field, code, message })

function problemsOf(text: string): PageProblem[] {
  if (text === '') return [problem('text', 'required', WIDGET_TEXTS.messageRequired)]
  return text.length > LONGEST_TEXT
    ? [problem('text', 'too_long', PAGE_TEXTS.tooLong(String(LONGEST_TEXT)))]
    : []
}

function readWho(typed: Typed): VisitorFields | readonly PageProblem[] {
  const name = typed('name').trim()
  const email = typed('email').trim()
  const problems: PageProblem[] = []
  if (name === '') problems.push(problem('name', 'required', WIDGET_TEXTS.nameRequired))
  if (name.length > LONGEST_NAME) {
    problems.push(problem('name', 'too_long', PAGE_TEXTS.tooLong(String(LONGEST_NAME))))
  }
  if (email !== '' && !isEmailAddress(email)) {
    problems.push(problem('email', 'invalid', WIDGET_TEXTS.emailInvalid))
  }
  return problems.length > 0 ? problems : { name, email: email === '' ? undefined : email }
}

const NOTHING: Typed = () => ''

function showWho(
  reply: FastifyReply,
  inbox: Inbox,
  workspace: Workspace,
  typed: Typed = NOTHING,
  problems: readonly PageProblem[] = [],
): void {
  const first = welcome(workspace, inbox)
  sendPage(
    reply,
    {
      title: say`${problems.length > 0 ? PAGE_TEXTS.error : ''}${inbox.name} – ${workspace.name}`,
      body: html`${problems.length > 0 && problemSummary(problems)} ${summary(inbox, workspace)}
        ${first !== false && html`<div class="talk">${first}</div>`}
        <form method="post" novalidate>
          ${textField(
            {
              name: 'name',
              label: PAGE_TEXTS.name,
              autocomplete: 'name',
              maxlength: LONGEST_NAME,
              value: typed('name'),
            },
            problems,
          )}
          ${textField(
            {
              name: 'email',
              label: PAGE_TEXTS.email,
              type: 'email',
              autocomplete: 'email',
              maxlength: MAX_EMAIL_LENGTH,
              value: typed('email'),
              isOptional: true,
            },
            problems,
          )}
          <button type="submit">${WIDGET_TEXTS.start}</button>
        </form>`,
    },
    problems.length > 0 ? 422 : 200,
  )
}

const summary = (inbox: Inbox, workspace: Workspace): Content =>
  html`<div class="summary">
    <p class="quiet">${workspace.name}</p>
    <h1>${inbox.name}</h1>
  </div>`

/** Renders the automatic reply that the first message will get, so that a visitor reads it before writing. */
function welcome(workspace: Workspace, inbox: Inbox, conversation?: Conversation): Content {
  const text = automaticReply(workspace, conversation, inbox)
  return (
    text !== null &&
    html`<div class="saying">
      <p class="who">${workspace.name}</p>
      <p class="said">${text}</p>
    </div>`
  )
}

/** Moves the automatic reply before the first message, because the visitor has read it there. It is stored as the reply. */
function welcomeFirst(said: readonly Message[]): readonly Message[] {
  const [first, second, ...others] = said
  const isWelcome = second?.messageType === 'template' && second.senderId === null
  // With more messages than are shown, the first one is not the beginning of the conversation.
  return first?.messageType === 'incoming' && isWelcome && said.length < MAX_SHOWN
    ? [second, first, ...others]
    : said
}

function showTalk(
  reply: FastifyReply,
  workspace: Workspace,
  inbox: Inbox,
  contact: Contact,
  written = '',
  problems: readonly PageProblem[] = [],
): void {
  const conversation = lastConversationOf(workspace, contact.id, inbox.id)
  const said = conversation ? messagesForContact(workspace, conversation) : []
  sendPage(
    reply,
    {
      title: say`${problems.length > 0 ? PAGE_TEXTS.error : ''}${inbox.name} – ${workspace.name}`,
      script: true,
      body: html`${problems.length > 0 && problemSummary(problems)} ${summary(inbox, workspace)}
        <div
          class="talk"
          id="talk"
          role="log"
          aria-label="${WIDGET_TEXTS.messages}"
          tabindex="0"
          data-token="${pubsubToken(workspace, inbox, contact)}"
        >
          ${
            said.length === 0
              ? welcome(workspace, inbox, conversation)
              : welcomeFirst(said).map((message) => saying(message, workspace))
          }
        </div>
        <form method="post" id="write" novalidate>
          ${labelled(
            { name: 'text' },
            problems,
            (attributes) =>
              html`<textarea name="text" rows="2" maxlength="${LONGEST_TEXT}" ${attributes}>
${written}</textarea>`,
            WIDGET_TEXTS.message,
          )}
          <button type="submit">${WIDGET_TEXTS.send}</button>
        </form>
        <p id="connection" role="status"></p>
        <p class="quiet">
          <a href="${linkTo(`../${encodeURIComponent(inbox.id)}?new=true`)}">${WIDGET_TEXTS.startNew}</a>
        </p>`,
    },
    problems.length > 0 ? 422 : 200,
  )
}

function saying(message: Message, workspace: Workspace): Content {
  const isOwn = message.messageType === 'incoming'
  const { sender, attachments } = messageView(message, workspace)
  return html`<div class="saying${isOwn && ' own'}">
    <p class="who">${isOwn ? WIDGET_TEXTS.you : (sender?.name ?? workspace.name)}</p>
    ${message.content !== null && renderMarkdown(message.content)}
    ${attachments.map((attachment, index) => attached(attachment, message.attachments[index]?.name ?? ''))}
    ${optionsOf(message)}
  </div>`
}

/** Shows a picture, plays sound and video, and links to other files. */
function attached(
  { data_url: url, file_type: type }: Static<typeof MessageSchema>['attachments'][number],
  name: string,
): Content {
  switch (type) {
    case 'image':
      return html`<p>
        <a href="${url}"><img src="${url}" alt="${name}" /></a>
      </p>`
    case 'audio':
      return html`<p><audio controls preload="metadata" src="${url}" aria-label="${name}"></audio></p>`
    case 'video':
      return html`<p><video controls preload="metadata" src="${url}" aria-label="${name}"></video></p>`
    default:
      return html`<p><a href="${url}">${name}</a></p>`
  }
}

/** The most options of a message that are shown. */
const MAX_OPTIONS = 50

/**
 * Shows the options of a message: content_attributes.items, each with a title, as in Chatwoot. Choosing one of the type
 * input_select sends its title as a message.
 */
function optionsOf({ contentType, contentAttributes }: Message): Content {
  const { items } = contentAttributes
  const titles = (Array.isArray(items) ? (items as unknown[]) : []).slice(0, MAX_OPTIONS).flatMap((item) => {
    const title = (item as { title?: unknown } | null)?.title
    return typeof title === 'string' && title.trim() !== '' ? [truncate(title.trim(), LONGEST_TEXT)] : []
  })
  if (titles.length === 0) return false
  if (contentType !== 'input_select') {
    return html`<ul>
      ${titles.map((title) => html`<li>${title}</li>`)}
    </ul>`
  }
  return html`<form method="post" class="options">
    ${titles.map((title) => html`<button name="text" value="${title}">${title}</button>`)}
  </form>`
}

/** The pages of the widget. */
export const widgetPages: PageSet = {
  resources: [widget],
  script: WIDGET_SCRIPT,
  style: WIDGET_STYLE,
  allows: ["connect-src 'self'", "media-src 'self' https: http:"],
  framed: true,
}
