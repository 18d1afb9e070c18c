/**
 * The page on which people join, leave and end a meeting (assumed; the specification shows only its addresses). Without a
 * participant's link, a visitor joins as a guest. A program joins with `token` in the form. Responds with 409 if the meeting
 * is INACTIVE and with 422 to invalid input.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { alert, problemSummary, textField } from '../../http/webPages/formFields.ts'
import { html, type Content } from '../../http/webPages/html.ts'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { sendPage, typedInto } from '../../http/webPages/webPages.ts'
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
import { refuse, unlessRefused, type FieldProblem } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
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
      const message = name === '' ? 'Enter your name.' : `Use at most ${String(LONGEST_NAME)} characters.`
      showMeeting(reply, workspace, meeting, { problems: [{ field: 'name', code: 'invalid', message }] }, 422)
      return reply
    }
    const actor = unlessRefused('wrong_state', () =>
      workspace.write(() =>
        act(workspace, meeting, known ?? guest(workspace, meeting, name), typed('action')),
      ),
    )
    if (actor === null) showMeeting(reply, workspace, meeting, { participant: known, isRefused: true }, 409)
    // Relative, because a proxy may serve the pages below any path.
    else void reply.redirect(`${encodeURIComponent(meeting.publicMeetingId)}?participant=${actor.id}`, 303)
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
  readonly problems?: readonly FieldProblem[]
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
  const prefix = problems.length > 0 || isRefused ? 'Error: ' : ''
  sendPage(
    reply,
    {
      title: `${prefix}${meeting.title} – ${workspace.name}`,
      body: html`${isRefused && alert('You cannot join', html`<p>The meeting admits no new connections.</p>`)}
        ${problems.length > 0 && problemSummary(problems)}
        <div class="summary">
          <p class="quiet">${workspace.name}</p>
          <h1>${meeting.title}</h1>
          <p>${momentInWords(meeting.startsAt, workspace.timezone)}</p>
          <p class="quiet">
            ${session ? 'The meeting is in progress.' : 'Nobody is in the meeting.'}
            ${meeting.status === 'INACTIVE' && 'It admits no new connections.'}
          </p>
        </div>
        <div class="prose">
          ${
            present.length > 0 &&
            html`<h2>Participants</h2>
              <ul>
                ${present.map(
                  (each) => html`<li>${nameOf(each)}${each.id === participant?.id && ' (you)'}</li>`,
                )}
              </ul>`
          }
        </div>
        ${isPresent ? leaving(participant) : joining(meeting, participant, problems)}`,
    },
    status,
  )
}

const button = (action: string, label: string): Content =>
  html`<button type="submit" name="action" value="${action}">${label}</button>`

const leaving = (participant: Participant | null): Content =>
  html`<form method="post">${button('leave', 'Leave')}</form>
    ${
      participant?.presetName === 'sim_meet_host' &&
      html`<form method="post">${button('end', 'End the meeting for all')}</form>`
    }`

const joining = (
  { status }: Meeting,
  participant: Participant | null,
  problems: readonly FieldProblem[],
): Content =>
  status === 'ACTIVE' &&
  html`<form method="post">
    ${
      participant === null
        ? textField({ name: 'name', label: 'Name', autocomplete: 'name', maxlength: LONGEST_NAME }, problems)
        : html`<p>You join as ${nameOf(participant)}.</p>`
    }
    ${button('join', 'Join')}
  </form>`

/** The pages of meetings. */
export const joinPages: PageSet = {
  resources: [meetingPages],
  style: 'form + form { margin-top: 0.75rem; }\n',
}
