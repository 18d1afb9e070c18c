/** Screens. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
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
  rendering: Screen.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const LikeGet = Assumed(
  'The specification does not show the response; the simulator returns the screen, as GET /screens/{screen_id} does.',
  ScreenDetail.item,
)

export const screens: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Screens' })
  const list = at('/screens')
  const item = at('/screens/:screen_id', { params: ScreenId, record: screenRecords })

  list.get({
    id: 'listScreens',
    order: collection.order,
    summary: 'List screens',
    scope: 'grid:screens:read',
    fidelity: documentedBut('Assumed: the newest screen comes first. search ignores case and accents.'),
    names: { group_id: groups },
    query: ScreenQuery,
    answers: { 200: PageOf(Screen.item) },
    run: ({ query: { status, group_id, search, ...query }, caller }) =>
      collection.page(caller, query, { status, group_id, search }),
  })

  item.get({
    id: 'getScreen',
    summary: 'Get a screen',
    fidelity: documentedBut('Assumed: the response has no envelope and includes the latest actions.'),
    answers: { 200: ScreenDetail.item },
    run: ({ record: screen, workspace }) => JSON.stringify(ScreenDetail.view(screen, workspace)),
  })

  list.post({
    id: 'pairScreen',
    summary: 'Pair a screen',
    description:
      'Pairs the device that shows the pairing code. The trigger signage.pairing_code.issue creates a code.',
    scope: 'grid:screens:write',
    fidelity: documentedBut(
      'Assumed: pairing_code and name are required. Returns 404 when no device shows the code, and 409 when the code was used or has expired after 15 minutes. The new screen is online.',
    ),
    body: ScreenPair.create,
    answers: { 201: LikeGet },
    refuses: ['not_found', 'conflict'],
    run({ body, workspace }) {
      const { pairing_code: pairingCode, name } = body
      const screen = pairScreen(workspace, { ...ScreenPair.parse(workspace, body), pairingCode, name })
      return ScreenDetail.view(screen, workspace)
    },
  })

  item.patch({
    id: 'updateScreen',
    summary: 'Update a screen',
    description: 'Changes only the fields in the request body.',
    fidelity: documentedBut(
      'Assumed: volume and brightness are integer percentages. group_id and location can also be changed; null clears them. A new orientation swaps width and height of the resolution.',
    ),
    body: ScreenUpdate.update,
    answers: { 200: LikeGet },
    refuses: ['conflict'],
    run({ record: screen, body, workspace }) {
      const fields = ScreenUpdate.parse(workspace, body)
      return ScreenDetail.view(updateScreen(workspace, screen, fields), workspace)
    },
  })

  at('/screens/:screen_id/actions', { params: ScreenId, record: screenRecords }).post({
    id: 'requestScreenAction',
    summary: 'Request an action from a screen',
    description:
      'Queues an action for the device. The triggers signage.action.complete and signage.action.fail set its outcome. GET /screens/{screen_id} returns it.',
    fidelity: assumed(
      'The specification shows the body, but no response; the simulator returns the queued action. An offline device runs the action when it is online again.',
    ),
    body: Action.create,
    answers: { 200: Action.item },
    run({ record: screen, body, workspace }) {
      const fields = { ...Action.parse(workspace, body), action: body.action }
      return Action.view(requestAction(workspace, screen, fields), workspace)
    },
  })

  item.delete({
    id: 'unpairScreen',
    summary: 'Unpair a screen',
    description:
      'Removes the configuration, schedules and analytics of the screen. The device shows the pairing screen again.',
    scope: 'grid:screens:write',
    fidelity: documented,
    answers: NO_CONTENT,
    run: ({ record, workspace }) => unpairScreen(workspace, record),
  })
}
