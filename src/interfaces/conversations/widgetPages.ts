/**
 * The web widget: where somebody writes as a contact and sees what agents answer. The specification shows that there are
 * web widgets and nothing of their pages: they are assumed. First visitors say who they are; the address of the page that
 * follows stands for that contact, and a cookie leads back to it (`visitors.ts`). The website of the inbox may frame them.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { areProblems, labelled, problemSummary, textField, type Typed } from '../../http/formFields.ts'
import { html, type Content } from '../../http/html.ts'
import type { PageSet, Resource } from '../../http/definition.ts'
import { frameOnlyBy, sendPage, typedInto } from '../../http/webPages.ts'
import type { Contact } from '../../state/conversations/contacts.ts'
import { lastOfContact } from '../../state/conversations/conversations.ts'
import { inboxes, isWidget, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Message } from '../../state/conversations/messages.ts'
import { shownToContact, writeAsContact } from '../../state/conversations/widget.ts'
import { isEmailAddress, MAX_EMAIL_LENGTH } from '../../state/emailAddresses.ts'
import { refuse, type FieldProblem } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { contactOfToken, contactToken, pubsubToken } from './contactTokens.ts'
import { messageView } from './views.ts'
import { keepVisitor, knownVisitor, visitor, type Who } from './visitors.ts'
import { WIDGET_SCRIPT } from './widgetScript.ts'
import { WIDGET_STYLE } from './widgetStyle.ts'

interface OfInbox {
  Params: { inbox: string }
}

interface OfContact {
  Params: { inbox: string; token: string }
}

const LONGEST_NAME = 200

/** Characters of what is written at a time; as much as a form of these pages takes in one field. */
const LONGEST_TEXT = 1000

/** The inbox of a widget, whose website may frame its pages; a disconnected one has no page any more. */
function widgetOf({ workspace, params }: FastifyRequest<OfInbox>, reply: FastifyReply): Inbox {
  const inbox = inboxes.get(workspace, params.inbox)
  if (!isWidget(inbox)) inboxes.noSuch(params.inbox)
  frameOnlyBy(reply, framersOf(inbox))
  return inbox
}

/** Pages of this machine, where websites are developed, and of this server. */
const OWN_FRAMERS = ["'self'", 'http://localhost:*', 'http://127.0.0.1:*']

/** The website of the inbox with its subdomains, as sources of a Content-Security-Policy. */
function framersOf({ websiteUrl }: Inbox): string[] {
  const url = websiteUrl === null || websiteUrl.includes('://') ? websiteUrl : `https://${websiteUrl}`
  if (url === null || !URL.canParse(url)) return OWN_FRAMERS
  const { protocol, host } = new URL(url)
  // Whatever else a host may hold would say more in the policy than its name.
  if (!/^[\w.-]+(?::\d+)?$/.test(host)) return OWN_FRAMERS
  // A domain alone is its pages over http and https.
  const sources = [host, `*.${host}`].map((name) => (url === websiteUrl ? `${protocol}//${name}` : name))
  return [...OWN_FRAMERS, ...sources]
}

const contactOf = (workspace: Workspace, inbox: Inbox, token: string): Contact =>
  contactOfToken(workspace, inbox, token) ?? refuse('not_found', 'There is no page at this address.')

interface OfInboxAnew extends OfInbox {
  Querystring: { new?: unknown }
}

const widget: Resource = async (pages) => {
  pages.get<OfInboxAnew>('/:inbox', { exposeHeadRoute: true }, (request, reply) => {
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
    const contact = visitor(workspace, known, read)
    keepVisitor(reply, workspace, inbox, contact)
    goToTalk(reply, workspace, inbox, contact)
  })

  pages.get<OfContact>('/:inbox/:token', { exposeHeadRoute: true }, (request, reply) => {
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
    void reply.redirect(encodeURIComponent(params.token), 303)
  })
}

/** Relative, for a proxy may put the pages below any path. */
function goToTalk(reply: FastifyReply, workspace: Workspace, inbox: Inbox, contact: Contact): void {
  const token = encodeURIComponent(contactToken(workspace, inbox, contact))
  void reply.redirect(`${encodeURIComponent(inbox.id)}/${token}`, 303)
}

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message })

function problemsOf(text: string): FieldProblem[] {
  if (text === '') return [problem('text', 'required', 'Write something.')]
  return text.length > LONGEST_TEXT
    ? [problem('text', 'too_long', `Use at most ${String(LONGEST_TEXT)} characters.`)]
    : []
}

function readWho(typed: Typed): Who | readonly FieldProblem[] {
  const name = typed('name').trim()
  const email = typed('email').trim()
  const problems: FieldProblem[] = []
  if (name === '') problems.push(problem('name', 'required', 'Give your name.'))
  if (name.length > LONGEST_NAME) {
    problems.push(problem('name', 'too_long', `Use at most ${String(LONGEST_NAME)} characters.`))
  }
  if (email !== '' && !isEmailAddress(email)) {
    problems.push(problem('email', 'invalid', 'This is not an e-mail address.'))
  }
  return problems.length > 0 ? problems : { name, email: email === '' ? undefined : email }
}

const NOTHING: Typed = () => ''

function showWho(
  reply: FastifyReply,
  inbox: Inbox,
  workspace: Workspace,
  typed: Typed = NOTHING,
  problems: readonly FieldProblem[] = [],
): void {
  sendPage(
    reply,
    {
      title: `${problems.length > 0 ? 'Error: ' : ''}${inbox.name} – ${workspace.name}`,
      body: html`${problems.length > 0 && problemSummary(problems)} ${summary(inbox, workspace)}
        ${greetingOf(inbox) !== null && html`<div class="talk">${greeting(inbox, workspace)}</div>`}
        <form method="post" novalidate>
          ${textField(
            {
              name: 'name',
              label: 'Name',
              autocomplete: 'name',
              maxlength: LONGEST_NAME,
              value: typed('name'),
            },
            problems,
          )}
          ${textField(
            {
              name: 'email',
              label: 'E-mail address',
              type: 'email',
              autocomplete: 'email',
              maxlength: MAX_EMAIL_LENGTH,
              value: typed('email'),
              isOptional: true,
            },
            problems,
          )}
          <button type="submit">Begin</button>
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

/** The text with which the inbox greets; null if it does not. */
const greetingOf = ({ greetingEnabled, greetingMessage }: Inbox): string | null =>
  greetingEnabled && greetingMessage?.trim() ? greetingMessage : null

/** The greeting in front of a conversation that has no message yet. */
function greeting(inbox: Inbox, workspace: Workspace): Content {
  const text = greetingOf(inbox)
  return (
    text !== null &&
    html`<div class="saying">
      <p class="who">${workspace.name}</p>
      <p class="said">${text}</p>
    </div>`
  )
}

/** The greeting is sent as an answer to the first message. Visitors have read it before, so it stands before that message. */
function greetingFirst(said: readonly Message[], inbox: Inbox): readonly Message[] {
  const [first, second, ...others] = said
  const isGreeting =
    second?.messageType === 'template' && second.senderId === null && second.content === greetingOf(inbox)
  return first?.messageType === 'incoming' && isGreeting ? [second, first, ...others] : said
}

function showTalk(
  reply: FastifyReply,
  workspace: Workspace,
  inbox: Inbox,
  contact: Contact,
  written = '',
  problems: readonly FieldProblem[] = [],
): void {
  const conversation = lastOfContact(workspace, contact.id, inbox.id)
  const said = conversation ? shownToContact(workspace, conversation) : []
  sendPage(
    reply,
    {
      title: `${problems.length > 0 ? 'Error: ' : ''}${inbox.name} – ${workspace.name}`,
      script: true,
      body: html`${problems.length > 0 && problemSummary(problems)} ${summary(inbox, workspace)}
        <div
          class="talk"
          id="talk"
          role="log"
          aria-label="Messages"
          tabindex="0"
          data-token="${pubsubToken(workspace, inbox, contact)}"
        >
          ${
            said.length === 0
              ? greeting(inbox, workspace)
              : greetingFirst(said, inbox).map((message) => saying(message, workspace))
          }
        </div>
        <form method="post" id="write" novalidate>
          ${labelled(
            { name: 'text' },
            problems,
            (attributes) =>
              html`<div class="input">
                <textarea name="text" rows="2" maxlength="${LONGEST_TEXT}" ${attributes}>${written}</textarea>
              </div>`,
            'Message',
          )}
          <button type="submit">Send</button>
        </form>
        <p id="connection" role="status"></p>
        <p class="quiet">
          <a href="../${encodeURIComponent(inbox.id)}?new=true">Start a new conversation</a>
        </p>`,
    },
    problems.length > 0 ? 422 : 200,
  )
}

function saying(message: Message, workspace: Workspace): Content {
  const isOwn = message.messageType === 'incoming'
  const { sender, attachments } = messageView(message, workspace)
  return html`<div class="saying${isOwn && ' own'}">
    <p class="who">${isOwn ? 'You' : (sender?.name ?? workspace.name)}</p>
    ${message.content !== null && html`<p class="said">${message.content}</p>`}
    ${attachments.map(
      ({ data_url: url }, index) => html`<p><a href="${url}">${message.attachments[index]?.name}</a></p>`,
    )}
  </div>`
}

/** The pages of the widget. */
export const widgetPages: PageSet = {
  resources: [widget],
  script: WIDGET_SCRIPT,
  style: WIDGET_STYLE,
  allows: ["connect-src 'self'"],
  framed: true,
}
