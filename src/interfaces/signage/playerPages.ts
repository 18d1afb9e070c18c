/**
 * The player: a page that acts as the device of a screen. It plays the current content full-screen, and reports
 * playbacks, completed actions and that it is online. An unpaired device shows a code first. The specification does not
 * show a player; all of it is assumed.
 */
import type { FastifyReply } from 'fastify'
import { html, type Content } from '../../http/webPages/html.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { JSON_TYPE } from '../../http/server/json.ts'
import { urlProblem } from '@suite-sim/kit/text/parseUrl'
import { goTo, sendPage, typedInto, type Page } from '../../http/webPages/webPages.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { completeAction, pendingActionsOf } from '../../state/signage/actions.ts'
import { issuePairingCode, pairingCodes } from '../../state/signage/pairing.ts'
import { recordPlayback } from '../../state/signage/playbacks.ts'
import { MAX_ITEM_DURATION } from '../../state/signage/tables.ts'
import { screens, type Screen } from '../../state/signage/screenRecords.ts'
import { reportScreen } from '../../state/signage/screens.ts'
import { say } from '../../state/text/languages.ts'
import { screenNowView } from './now.ts'
import { PLAYER_SCRIPT } from './playerScript.ts'
import { PLAYER_STYLE } from './playerStyle.ts'
import { PLAYER_TEXTS } from './playerTexts.ts'

interface OfScreen {
  readonly Params: { readonly screen_id: string }
}

const player: Resource = async (pages) => {
  pages.get<OfScreen>('/screens/:screen_id', ({ params, workspace }, reply) => {
    const screen = screens.find(workspace, params.screen_id)
    if (screen) sendPage(reply, playerPage(screen))
    // The device of an unpaired screen shows the pairing page again.
    else goTo(reply, '../')
  })

  /** Records a report of the device and responds with its current content. */
  pages.post<OfScreen>('/screens/:screen_id/reports', (request, reply) => {
    const { params, workspace } = request
    const screen = reportScreen(workspace, params.screen_id, { status: 'online' })
    sendJson(reply, screenNowView(workspace, screen))
  })

  pages.post<OfScreen>('/screens/:screen_id/playbacks', (request, reply) => {
    const { params, workspace } = request
    const field = typedInto(request)
    const seconds = Number(field('duration_seconds') || NaN)
    if (!(seconds >= 0 && seconds * 1000 <= MAX_ITEM_DURATION)) {
      refuseField('duration_seconds', 'invalid_format', 'duration_seconds must be a number of seconds')
    }
    const { id } = recordPlayback(workspace, {
      screenId: params.screen_id,
      mediaId: field('media_id'),
      playlistId: field('playlist_id') || undefined,
      durationMs: Math.round(seconds * 1000),
      completed: field('completed') === 'true',
    })
    sendJson(reply, { playback_id: id })
  })

  pages.post<{ Params: OfScreen['Params'] & { readonly action_id: string } }>(
    '/screens/:screen_id/actions/:action_id',
    (request, reply) => {
      const { params, workspace } = request
      const isPending = pendingActionsOf(workspace, params.screen_id).some(
        ({ id }) => id === params.action_id,
      )
      if (!isPending) refuse('not_found', `The screen has no pending action ${params.action_id}.`)
      const url = typedInto(request)('result_url')
      const problem = url === '' ? null : urlProblem(url)
      if (problem !== null) refuseField('result_url', 'invalid_format', `result_url ${problem}`)
      const { id } = completeAction(workspace, params.action_id, url === '' ? null : url)
      sendJson(reply, { action_id: id })
    },
  )
}

const pairing: Resource = async (pages) => {
  // The links of the page are relative to the address with a trailing slash.
  pages.get('', ({ workspace }, reply) => {
    goTo(reply, `${encodeURIComponent(workspace.id)}/`)
  })

  pages.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) => {
    sendPage(reply, welcomePage(''))
  })

  pages.post('/', { prefixTrailingSlash: 'slash' }, ({ workspace }, reply) => {
    const { id } = issuePairingCode(workspace)
    goTo(reply, `codes/${encodeURIComponent(id)}`)
  })

  pages.get<{ Params: { readonly id: string } }>('/codes/:id', ({ params, workspace }, reply) => {
    const { status, code, screenId } = pairingCodes.get(workspace, params.id)
    if (status === 'used' && screenId !== null && screens.find(workspace, screenId)) {
      goTo(reply, `../screens/${encodeURIComponent(screenId)}`)
    } else {
      sendPage(reply, status === 'issued' ? codePage(code) : welcomePage(linkTo('../')))
    }
  })
}

/** The pages of signage: one for pairing, and one for each screen. */
export const playerPages: PageSet = {
  resources: [player, pairing],
  script: PLAYER_SCRIPT,
  style: PLAYER_STYLE,
  allows: ["connect-src 'self'", "media-src 'self' https: http:"],
}

const sendJson = (reply: FastifyReply, body: object): void => {
  void reply.type(JSON_TYPE).send(JSON.stringify(body))
}

const playerPage = ({ id, name, orientation }: Screen): Page => ({
  title: say`${name}`,
  script: true,
  body: html`<div id="player" class="${orientation}" data-screen="${id}">
    <div id="stage"></div>
    <div id="note">
      <h1>${name}</h1>
      <p id="words">${PLAYER_TEXTS.needsScripts}</p>
    </div>
  </div>`,
})

/** Asks for a code with a form, which is sent to this relative address. */
const welcomePage = (address: Content): Page => ({
  title: PLAYER_TEXTS.pair,
  body: html`<div class="prose">
      <h1>${PLAYER_TEXTS.notPaired}</h1>
      <p>${PLAYER_TEXTS.howToPair}</p>
    </div>
    <form method="post" action="${address}"><button type="submit">${PLAYER_TEXTS.showCode}</button></form>`,
})

/** Shows the code. The script reloads the page until the code is used. */
const codePage = (code: string): Page => ({
  title: PLAYER_TEXTS.codeIs(code),
  script: true,
  body: html`<div class="state wait" id="pairing">
      <h1>${PLAYER_TEXTS.code}</h1>
      <p class="amount">${code}</p>
      <p class="quiet">${PLAYER_TEXTS.startsWhenPaired}</p>
    </div>
    <p class="onward"><a href="">${PLAYER_TEXTS.checkAgain}</a></p>`,
})
