/** What the control plane answers about signage. */
import { controlCall } from '../../http/controlCall.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import { nowOf } from './now.ts'
import { ScreenNow, ScreenNowParams } from './schemas/now.ts'

export const signageCalls = [
  controlCall({
    id: 'getScreenNow',
    summary: 'Get what a screen plays now',
    description:
      'From the schedules of the screen and of its group, their priorities, and the clock in the time zone of the workspace.',
    path: '/signage/screens/:screen_id/now',
    params: ScreenNowParams,
    answer: ScreenNow,
    run: (workspace, { screen_id: id }) => nowOf(workspace, screens.get(workspace, id)),
  }),
]
