/**
 * The player: a page that does at a screen what its device would do. It shows full-screen what the screen is to play,
 * moves through playlists, and reports what it has shown, that it is alive and what it has done. A device that is not
 * paired shows a code first. The specification shows no player; all of this is assumed.
 */
import type { FastifyReply } from 'fastify'
import { html } from '../../http/html.ts'
import type { PageSet, Resource } from '../../http/definition.ts'
import { JSON_TYPE } from '../../http/json.ts'
import { FORMATS } from '../../http/validation.ts'
import { sendPage, typedInto, type Page } from '../../http/webPages.ts'
import { refuse, refuseField } from '../../state/refusal.ts'
import { completeAction, pendingActionsOf } from '../../state/signage/actions.ts'
import { issuePairingCode, pairingCodes } from '../../state/signage/pairing.ts'
import { recordPlayback } from '../../state/signage/playbacks.ts'
import { LONGEST_ITEM } from '../../state/signage/playlists.ts'
import { screens, type Screen } from '../../state/signage/screenRecords.ts'
import { reportScreen } from '../../state/signage/screens.ts'
import { nowOf } from './now.ts'
import { PLAYER_SCRIPT } from './playerScript.ts'
import { PLAYER_STYLE } from './playerStyle.ts'

interface OfScreen {
  readonly Params: { readonly screen_id: string }
}

const player: Resource = async (pages) => {
  pages.get<OfScreen>('/screens/:screen_id', { exposeHeadRoute: true }, ({ params, workspace }, reply) => {
    const screen = screens.find(workspace, params.screen_id)
    if (screen) sendPage(reply, playerPage(screen))
    // The device of a screen that was unpaired shows the pairing screen again.
    else void reply.redirect('../', 303)
  })

  /** The device is heard of, and hears what it is to play. */
  pages.post<OfScreen>('/screens/:screen_id/reports', (request, reply) => {
    const { params, workspace } = request
    const screen = reportScreen(workspace, params.screen_id, { status: 'online' })
    answer(reply, nowOf(workspace, screen))
  })

  pages.post<OfScreen>('/screens/:screen_id/playbacks', (request, reply) => {
    const { params, workspace } = request
    const typed = typedInto(request)
    const seconds = Number(typed('duration_seconds') || NaN)
    if (!(seconds >= 0 && seconds * 1000 <= LONGEST_ITEM)) {
      refuseField('duration_seconds', 'invalid_format', 'duration_seconds must be a number of seconds')
    }
    const { id } = recordPlayback(workspace, {
      screenId: params.screen_id,
      mediaId: typed('media_id'),
      playlistId: typed('playlist_id') || undefined,
      durationMs: Math.round(seconds * 1000),
      completed: typed('completed') === 'true',
    })
    answer(reply, { playback_id: id })
  })

  pages.post<{ Params: OfScreen['Params'] & { readonly action_id: string } }>(
    '/screens/:screen_id/actions/:action_id',
    (request, reply) => {
      const { params, workspace } = request
      const isAsked = pendingActionsOf(workspace, params.screen_id).some(({ id }) => id === params.action_id)
      if (!isAsked) refuse('not_found', 'The device is not asked to do that.')
      const url = typedInto(request)('result_url')
      if (url !== '' && !FORMATS['uri']?.check(url)) {
        refuseField('result_url', 'invalid_format', 'result_url must be a URL')
      }
      const { id } = completeAction(workspace, params.action_id, url === '' ? null : url)
      answer(reply, { action_id: id })
    },
  )
}

const pairing: Resource = async (pages) => {
  // What leads on from here is named relative to the address with its slash.
  pages.get('', { exposeHeadRoute: true }, ({ workspace }, reply) => {
    void reply.redirect(`${encodeURIComponent(workspace.id)}/`, 303)
  })

  pages.get('/', { exposeHeadRoute: true, prefixTrailingSlash: 'slash' }, (_request, reply) => {
    sendPage(reply, welcomePage)
  })

  pages.post('/', { prefixTrailingSlash: 'slash' }, ({ workspace }, reply) => {
    const { id } = issuePairingCode(workspace)
    void reply.redirect(`codes/${encodeURIComponent(id)}`, 303)
  })

  pages.get<{ Params: { readonly id: string } }>(
    '/codes/:id',
    { exposeHeadRoute: true },
    ({ params, workspace }, reply) => {
      const { status, code, screenId } = pairingCodes.get(workspace, params.id)
      if (status === 'used' && screenId !== null && screens.find(workspace, screenId)) {
        void reply.redirect(`../screens/${encodeURIComponent(screenId)}`, 303)
      } else {
        sendPage(reply, status === 'issued' ? codePage(code) : welcomePage)
      }
    },
  )
}

/** The pages of signage; each screen has one. */
export const playerPages: PageSet = {
  resources: [player, pairing],
  script: PLAYER_SCRIPT,
  style: PLAYER_STYLE,
  allows: ["connect-src 'self'", "media-src 'self' https: http:"],
}

const answer = (reply: FastifyReply, body: object): void => {
  void reply.type(JSON_TYPE).send(JSON.stringify(body))
}

const playerPage = ({ id, name, orientation }: Screen): Page => ({
  title: name,
  script: true,
  body: html`<div id="player" class="${orientation}" data-screen="${id}">
    <div id="stage"></div>
    <div id="note">
      <h1>${name}</h1>
      <p id="words">The player needs scripts to run.</p>
    </div>
  </div>`,
})

const welcomePage: Page = {
  title: 'Pair a screen',
  body: html`<h1>This screen is not paired</h1>
    <p>It shows a code, with which POST /screens pairs it. The code can be used for 15 minutes.</p>
    <form method="post" action="">
      <p class="onward"><button type="submit">Show a code</button></p>
    </form>`,
}

/** Looks again until the code is used: by itself where scripts run. */
const codePage = (code: string): Page => ({
  title: `Pairing code ${code}`,
  script: true,
  body: html`<div class="state wait" id="pairing">
      <h1>Pairing code</h1>
      <p class="amount">${code}</p>
      <p class="quiet">This screen begins to play when it is paired.</p>
    </div>
    <p class="onward"><a href="">Look again</a></p>`,
})
