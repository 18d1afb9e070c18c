/**
 * The web widget: where somebody writes as a contact and sees what agents answer. The specification shows that there are
 * web widgets and nothing of their pages: they are assumed. First one says who one is; the address of the page that follows
 * stands for that contact.
 */
import type { FastifyReply } from 'fastify'
import { areProblems, labelled, problemSummary, textField, type Typed } from '../../http/formFields.ts'
import { html, type Content } from '../../http/html.ts'
import type { PageSet, Resource } from '../../http/definition.ts'
import { sendPage, typedInto } from '../../http/webPages.ts'
import { contactWithEmail, createContact, type Contact } from '../../state/conversations/contacts.ts'
import { lastOfContact } from '../../state/conversations/conversations.ts'
import { connectedInbox, inboxes, type Inbox } from '../../state/conversations/inboxes.ts'
import type { Message } from '../../state/conversations/messages.ts'
import { shownToContact, writeAsContact } from '../../state/conversations/widget.ts'
import { isEmailAddress, LONGEST_EMAIL } from '../../state/emailAddresses.ts'
import { refuse, type FieldProblem } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { contactOfToken, contactToken, pubsubToken } from './contactTokens.ts'
import { messageView } from './views.ts'
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

/** The inbox of a widget; a disconnected one has no page any more. */
function widgetOf(workspace: Workspace, id: string): Inbox {
  const inbox = connectedInbox(workspace, id)
  return inbox.channelType === 'Channel::WebWidget' ? inbox : inboxes.noSuch(id)
}

const contactOf = (workspace: Workspace, inbox: Inbox, token: string): Contact =>
  contactOfToken(workspace, inbox, token) ?? refuse('not_found', 'There is no page at this address.')

const widget: Resource = async (pages) => {
  pages.get<OfInbox>('/:inbox', { exposeHeadRoute: true }, ({ workspace, params }, reply) => {
    showWho(reply, widgetOf(workspace, params.inbox), workspace)
  })

  pages.post<OfInbox>('/:inbox', (request, reply) => {
    const { workspace, params } = request
    const inbox = widgetOf(workspace, params.inbox)
    const typed = typedInto(request)
    const read = readWho(typed)
    if (areProblems(read)) {
      showWho(reply, inbox, workspace, typed, read)
      return
    }
    const { name, email } = read
    const contact =
      (email === undefined ? undefined : contactWithEmail(workspace, email)) ??
      createContact(workspace, { name, ...(email !== undefined && { email }) })
    // Relative, for a proxy may put the pages below any path.
    const token = encodeURIComponent(contactToken(workspace, inbox, contact))
    void reply.redirect(`${encodeURIComponent(inbox.id)}/${token}`, 303)
  })

  pages.get<OfContact>('/:inbox/:token', { exposeHeadRoute: true }, ({ workspace, params }, reply) => {
    const inbox = widgetOf(workspace, params.inbox)
    showTalk(reply, workspace, inbox, contactOf(workspace, inbox, params.token))
  })

  pages.post<OfContact>('/:inbox/:token', (request, reply) => {
    const { workspace, params } = request
    const inbox = widgetOf(workspace, params.inbox)
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

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message })

function problemsOf(text: string): FieldProblem[] {
  if (text === '') return [problem('text', 'required', 'Write something.')]
  return text.length > LONGEST_TEXT
    ? [problem('text', 'too_long', `Use at most ${String(LONGEST_TEXT)} characters.`)]
    : []
}

interface Who {
  readonly name: string
  readonly email: string | undefined
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
              maxlength: LONGEST_EMAIL,
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
    ${inbox.greetingEnabled && inbox.greetingMessage !== null && html`<p class="written">${inbox.greetingMessage}</p>`}
  </div>`

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
          ${said.map((message) => saying(message, workspace))}
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
        <p id="connection" role="status"></p>`,
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
}
