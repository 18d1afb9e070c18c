/**
 * The page on which people join, leave and end a meeting (assumed; the specification shows only its addresses). Without a
 * participant's link, a visitor joins as a guest. A program joins with `token` in the form. Responds with 409 if the meeting
 * is INACTIVE and with 422 to invalid input.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { alert, problemSummary, textField } from '../../http/webPages/formFields.ts'
import { html, type Content } from '../../http/webPages/html.ts'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { goTo, sendPage, typedInto } from '../../http/webPages/webPages.ts'
import { momentInWords } from '../../http/schemas/wording.ts'
import { meetingsByPublicId, mustAcceptConnections, type Meeting } from '../../state/meetings/meetings.ts'
import { addOrRenewParticipant } from '../../state/meetings/participants.ts'
import {
  liveSession,
  nameOf,
  participants,
  participantsIn,
  type Participant,
} from '../../state/meetings/sessionRecords.ts'
import { endByHost, join, leave } from '../../state/meetings/sessions.ts'
import { refuse, unlessRefused, type PageProblem } from '../../state/model/refusal.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { JOIN_TEXTS } from './joinTexts.ts'
import { participantOf } from './tokens.ts'
import { joinUrl } from './views.ts'

interface OfMeeting {
  Params: { publicMeetingId: string }
}

const LONGEST_NAME = 200

const meetingPages: Resource = async (pages) => {
  pages.get<OfMeeting>('/:publicMeetingId', (request, reply) => {
    const { workspace, params } = request
    const meeting = meetingsByPublicId.get(workspace, params.publicMeetingId)
    showMeeting(reply, workspace, meeting, { participant: participantIn(request, meeting) })
  })

  pages.post<OfMeeting>('/:publicMeetingId', async (request, reply) => {
    const { workspace, params } = request
    const meeting = meetingsByPublicId.get(workspace, params.publicMeetingId)
    const typed = typedInto(request)
    const token = typed('token')
    const known =
      token === '' ? participantIn(request, meeting) : await participantOf(workspace, meeting, token)
    const name = typed('name').trim()
    if (known === null && (name === '' || name.length > LONGEST_NAME)) {
      const message = name === '' ? JOIN_TEXTS.nameRequired : PAGE_TEXTS.tooLong(String(LONGEST_NAME))
      showMeeting(reply, workspace, meeting, { problems: [{ field: 'name', code: 'invalid', message }] }, 422)
      return reply
    }
    const actor = unlessRefused('wrong_state', () =>
      workspace.write(() =>
        act(workspace, meeting, known ?? guest(workspace, meeting, name), typed('action')),
      ),
    )
    if (actor === null) showMeeting(reply, workspace, meeting, { participant: known, isRefused: true }, 409)
    else goTo(reply, `${encodeURIComponent(meeting.publicMeetingId)}?participant=${actor.id}`)
    return reply
  })
}

/** Returns the participant that the link names; null if it names none. */
function participantIn({ query, workspace }: Pick<FastifyRequest, 'query' | 'workspace'>, { id }: Meeting) {
  const { participant: named } = query as { participant?: unknown }
  if (typeof named !== 'string') return null
  const participant = participants.get(workspace, named)
  return participant.meetingId === id ? participant : participants.noSuch(named)
}

function guest(workspace: Workspace, meeting: Meeting, name: string): Participant {
  mustAcceptConnections(meeting)
  const fields = { presetName: 'sim_meet_guest', externalId: null, email: null, name } as const
  return addOrRenewParticipant(workspace, meeting, fields, joinUrl).participant
}

function act(workspace: Workspace, meeting: Meeting, participant: Participant, action: string): Participant {
  if (action === 'leave') leave(workspace, meeting, participant)
  else if (action === 'end') endByHost(workspace, meeting, participant)
  else if (action === 'join' || action === '') join(workspace, meeting, participant)
  else refuse('invalid', 'action must be join, leave or end.')
  return participant
}

interface Shown {
  readonly participant?: Participant | null
  readonly problems?: readonly PageProblem[]
  readonly isRefused?: boolean
}

function showMeeting(
  reply: FastifyReply,
  workspace: Workspace,
  meeting: Meeting,
  { participant = null, problems = [], isRefused = false }: Shown,
  status = 200,
): void {
  const session = liveSession(workspace, meeting.id)
  const present = session ? participantsIn(workspace, session) : []
  const isPresent = present.some(({ id }) => id === participant?.id)
  const prefix = problems.length > 0 || isRefused ? PAGE_TEXTS.error : ''
  sendPage(
    reply,
    {
      title: say`${prefix}${meeting.title} – ${workspace.name}`,
      body: html`${isRefused && alert(JOIN_TEXTS.cannotJoin, html`<p>${JOIN_TEXTS.noConnections}</p>`)}
        ${problems.length > 0 && problemSummary(problems)}
        <div class="summary">
          <p class="quiet">${workspace.name}</p>
          <h1>${meeting.title}</h1>
          <p>${momentInWords(meeting.startsAt, workspace.timezone)}</p>
          <p class="quiet">
            ${session ? JOIN_TEXTS.inProgress : JOIN_TEXTS.empty}
            ${meeting.status === 'INACTIVE' && JOIN_TEXTS.admitsNone}
          </p>
        </div>
        <div class="prose">
          ${
            present.length > 0 &&
            html`<h2>${JOIN_TEXTS.participants}</h2>
              <ul>
                ${present.map(
                  (each) => html`<li>${nameOf(each)}${each.id === participant?.id && JOIN_TEXTS.you}</li>`,
                )}
              </ul>`
          }
        </div>
        ${isPresent ? leaving(participant) : joining(meeting, participant, problems)}`,
    },
    status,
  )
}

const button = (action: string, label: Text): Content =>
  html`<button type="submit" name="action" value="${action}">${label}</button>`

const leaving = (participant: Participant | null): Content =>
  html`<form method="post">${button('leave', JOIN_TEXTS.leave)}</form>
    ${
      participant?.presetName === 'sim_meet_host' &&
      html`<form method="post">${button('end', JOIN_TEXTS.end)}</form>`
    }`

const joining = (
  { status }: Meeting,
  participant: Participant | null,
  problems: readonly PageProblem[],
): Content =>
  status === 'ACTIVE' &&
  html`<form method="post">
    ${
      participant === null
        ? textField(
            { name: 'name', label: PAGE_TEXTS.name, autocomplete: 'name', maxlength: LONGEST_NAME },
            problems,
          )
        : html`<p>${JOIN_TEXTS.joinAs(nameOf(participant))}</p>`
    }
    ${button('join', JOIN_TEXTS.join)}
  </form>`

/** The pages of meetings. */
export const joinPages: PageSet = {
  resources: [meetingPages],
  style: 'form + form { margin-top: 0.75rem; }\n',
}
