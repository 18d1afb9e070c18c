/** The control plane calls of signage. */
import { controlCall } from '../../http/definition/definition.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import { screenNowView } from './now.ts'
import { ScreenNow, ScreenNowParams } from './shapes/now.ts'

export const signageCalls = [
  controlCall({
    id: 'getScreenNow',
    summary: 'Get the current content of a screen',
    description:
      'Returns what the screen plays now. The server evaluates the schedules of the screen and its group, their priorities, and the workspace’s clock in its time zone.',
    path: '/signage/screens/:screen_id/now',
    params: ScreenNowParams,
    answer: ScreenNow,
    run: (workspace, { screen_id: id }) => screenNowView(workspace, screens.get(workspace, id)),
  }),
]
