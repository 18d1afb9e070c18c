/** Screens. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { assumed, documented, documentedBut } from '../../state/model/fidelity.ts'
import { requestAction } from '../../state/signage/actions.ts'
import { groups } from '../../state/signage/groups.ts'
import { screens as screenRecords } from '../../state/signage/screenRecords.ts'
import { pairScreen, unpairScreen, updateScreen } from '../../state/signage/screens.ts'
import {
  Action,
  Screen,
  ScreenDetail,
  ScreenId,
  ScreenPair,
  ScreenQuery,
  ScreenUpdate,
} from './shapes/screens.ts'

const collection = numberedCollection({
  records: screenRecords,
  rendering: Screen.rendering(screenRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const screenOperation = operationsOf({ tag: 'Screens' })

const LikeGet = Assumed(
  'The specification does not show the response; the simulator returns the screen, as GET /screens/{screen_id} does.',
  ScreenDetail.item,
)

export const screens: Resource = async (app) => {
  app.get(
    '/screens',
    {
      schema: { querystring: ScreenQuery },
      config: screenOperation({
        id: 'listScreens',
        order: collection.order,
        summary: 'List screens',
        scope: 'grid:screens:read',
        fidelity: documentedBut('Assumed: the newest screen comes first. search ignores case and accents.'),
        names: { group_id: groups },
        answers: { 200: PageOf(Screen.item) },
      }),
    },
    ({ query: { status, group_id, search, ...query }, caller }) =>
      collection.page(caller, query, { status, group_id, search }),
  )

  app.get(
    '/screens/:screen_id',
    {
      schema: { params: ScreenId },
      config: screenOperation({
        id: 'getScreen',
        summary: 'Get a screen',
        fidelity: documentedBut('Assumed: the response has no envelope and includes the latest actions.'),
        answers: { 200: ScreenDetail.item },
      }),
    },
    ({ params, workspace }) => {
      const screen = screenRecords.get(workspace, params.screen_id)
      return JSON.stringify(ScreenDetail.view(screen, workspace))
    },
  )

  app.post(
    '/screens',
    {
      schema: { body: ScreenPair.create },
      config: screenOperation({
        id: 'pairScreen',
        summary: 'Pair a screen',
        description:
          'Pairs the device that shows the pairing code. The trigger signage.pairing_code.issue creates a code.',
        scope: 'grid:screens:write',
        fidelity: documentedBut(
          'Assumed: pairing_code and name are required. Returns 404 when no device shows the code, and 409 when the code was used or has expired after 15 minutes. The new screen is online.',
        ),
        answers: { 201: LikeGet },
        refuses: ['not_found', 'conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const { pairing_code: pairingCode, name } = body
      const screen = pairScreen(workspace, { ...ScreenPair.parse(workspace, body), pairingCode, name })
      reply.code(201)
      return ScreenDetail.view(screen, workspace)
    },
  )

  app.patch(
    '/screens/:screen_id',
    {
      preValidation: mustExist,
      schema: { params: ScreenId, body: ScreenUpdate.update },
      config: screenOperation({
        id: 'updateScreen',
        summary: 'Update a screen',
        description: 'Changes only the fields in the request body.',
        fidelity: documentedBut(
          'Assumed: volume and brightness are integer percentages. group_id and location can also be changed; null clears them. A new orientation swaps width and height of the resolution.',
        ),
        answers: { 200: LikeGet },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const screen = screenRecords.get(workspace, params.screen_id)
      const fields = ScreenUpdate.parse(workspace, body)
      return ScreenDetail.view(updateScreen(workspace, screen, fields), workspace)
    },
  )

  app.post(
    '/screens/:screen_id/actions',
    {
      preValidation: mustExist,
      schema: { params: ScreenId, body: Action.create },
      config: screenOperation({
        id: 'requestScreenAction',
        summary: 'Request an action from a screen',
        description:
          'Queues an action for the device. The triggers signage.action.complete and signage.action.fail set its outcome. GET /screens/{screen_id} returns it.',
        fidelity: assumed(
          'The specification shows the body, but no response; the simulator returns the queued action. An offline device runs the action when it is online again.',
        ),
        answers: { 200: Action.item },
      }),
    },
    ({ params, body, workspace }) => {
      const screen = screenRecords.get(workspace, params.screen_id)
      const fields = { ...Action.parse(workspace, body), action: body.action }
      return Action.view(requestAction(workspace, screen, fields), workspace)
    },
  )

  app.delete(
    '/screens/:screen_id',
    {
      schema: { params: ScreenId },
      config: screenOperation({
        id: 'unpairScreen',
        summary: 'Unpair a screen',
        description:
          'Removes the configuration, schedules and analytics of the screen. The device shows the pairing screen again.',
        scope: 'grid:screens:write',
        fidelity: documented,
        answers: NO_CONTENT,
      }),
    },
    async ({ params, workspace }, reply) => {
      await unpairScreen(workspace, screenRecords.get(workspace, params.screen_id))
      return noContent(reply)
    },
  )
}

/** Refuses an unknown screen before the body is validated. */
const mustExist = checkFirst<{ screen_id: string }>(({ workspace }, params) =>
  screenRecords.getHead(workspace, params.screen_id),
)
