/** The current content of a screen, for the control plane and the player. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { wallAt } from '@suite-sim/kit/time/wallTime'
import { pendingActionsOf } from '../../state/signage/actions.ts'
import { layouts } from '../../state/signage/layouts.ts'
import { programmeOf } from '../../state/signage/playing.ts'
import { schedules } from '../../state/signage/schedules.ts'
import type { Screen } from '../../state/signage/screenRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { LayoutNow, playlistNow, type ScreenNow } from './shapes/now.ts'
import { Rule } from './shapes/schedules.ts'

export function screenNowView(workspace: Workspace, screen: Screen): Static<typeof ScreenNow> {
  const { playing = null, changesAt } = programmeOf(workspace, screen)
  const schedule = playing && schedules.get(workspace, playing.scheduleId)
  const now = workspace.now()
  const { timezone } = workspace
  return {
    screen_id: screen.id,
    status: screen.status,
    at: iso(now),
    timezone,
    local_time: iso(wallAt(now, timezone)).slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    schedule: schedule && { id: schedule.id, name: schedule.name, priority: schedule.priority },
    rule: playing && Rule.view(playing, workspace),
    playlist: playlistNow(workspace, playing?.playlistId ?? null),
    layout: playing?.layoutId ? LayoutNow.view(layouts.get(workspace, playing.layoutId), workspace) : null,
    changes_at: isoOrNull(changesAt),
    pending_actions: pendingActionsOf(workspace, screen.id).map(({ id, action, requestedAt }) => ({
      action_id: id,
      action,
      requested_at: iso(requestedAt),
    })),
  }
}
