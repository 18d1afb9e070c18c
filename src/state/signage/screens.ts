/** Operations on screens and reports of their devices. Specification part 1, "Screen status", "Signage". */
import { and, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { MAX_REMOVED } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { mustTakeScreen } from './groups.ts'
import { MOVE_TO, OFFLINE_AFTER, pairingCodeMachine, UP } from './machines.ts'
import { mustPair, useCode } from './pairing.ts'
import { removeSomePlaybacks } from './playbacks.ts'
import { moveScreen, screens, type Screen } from './screenRecords.ts'
import { removeSchedule, schedules } from './schedules.ts'
import { scheduleGroups, scheduleScreens } from './tables.ts'

export type ScreenFields = Partial<
  Pick<Screen, 'name' | 'orientation' | 'volume' | 'brightness' | 'groupId' | 'location'>
>

export type NewScreen = ScreenFields & Pick<Screen, 'name'> & { readonly pairingCode: string }

/** The defaults of displays (assumed). */
const RESOLUTIONS = { landscape: '1920x1080', portrait: '1080x1920' } as const
const DEFAULTS = { volume: 50, brightness: 100 } as const

/** Pairs the device that shows the code. */
export function pairScreen(workspace: Workspace, { pairingCode, ...fields }: NewScreen): Screen {
  return workspace.write(() => {
    const { orientation = 'landscape', groupId = null } = fields
    // Errors in the request body come before conflicts with the group.
    const code = mustPair(workspace, pairingCode)
    if (groupId !== null) mustTakeScreen(workspace, groupId)
    const now = workspace.now()
    const screen = screens.insert(workspace, {
      ...DEFAULTS,
      ...fields,
      id: workspace.ids.prefixed('scr_'),
      orientation,
      resolution: RESOLUTIONS[orientation],
      lastSync: now,
      silentAt: now + OFFLINE_AFTER,
      statusSince: now,
      uptimeAt: now,
      createdAt: now,
      updatedAt: now,
    })
    useCode(workspace, code, screen.id)
    appendSignageEvent(workspace, pairingCodeMachine.moves.use.emits, screen)
    return screen
  })
}

/** Changes the given fields; a new orientation swaps width and height. Without a change, does nothing. */
export function updateScreen(workspace: Workspace, screen: Screen, fields: ScreenFields): Screen {
  if (!screens.isChange(screen, fields)) return screen
  return workspace.write(() => {
    const { groupId, orientation } = fields
    if (typeof groupId === 'string' && groupId !== screen.groupId) mustTakeScreen(workspace, groupId)
    const isRotated = orientation !== undefined && orientation !== screen.orientation
    const updated = screens.update(workspace, screen, {
      ...fields,
      ...(isRotated && { resolution: screen.resolution.split('x').reverse().join('x') }),
      updatedAt: workspace.now(),
    })
    appendSignageEvent(workspace, 'screen.updated', updated)
    return updated
  })
}

export interface Report {
  readonly status?: Screen['status'] | undefined
  /** The uptime that the device reports. */
  readonly uptimeHours?: number | undefined
}

const HOUR = 3_600_000

/** Records a report of the device. Without a status, the screen keeps its status, but an offline screen goes online. */
export function reportScreen(workspace: Workspace, id: string, { status, uptimeHours }: Report): Screen {
  return workspace.write(() => {
    const screen = screens.get(workspace, id)
    const newStatus = status ?? (UP.includes(screen.status) ? screen.status : 'online')
    return moveScreen(workspace, screen, MOVE_TO[newStatus], {
      ...(uptimeHours !== undefined && { uptimeMs: uptimeHours * HOUR, uptimeAt: workspace.now() }),
    })
  })
}

/** Selects the schedules that name only this screen. */
const schedulesOnlyOf = query((orm) =>
  orm
    .select({ id: scheduleScreens.scheduleId })
    .from(scheduleScreens)
    .where(
      and(
        ofWorkspace(scheduleScreens),
        eq(scheduleScreens.screenId, sql.placeholder('id')),
        sql`not exists (select 1 from ${scheduleScreens} other where other.workspace = ${scheduleScreens.workspace} and other.schedule_id = ${scheduleScreens.scheduleId} and other.screen_id <> ${scheduleScreens.screenId})`,
        sql`not exists (select 1 from ${scheduleGroups} other where other.workspace = ${scheduleScreens.workspace} and other.schedule_id = ${scheduleScreens.scheduleId})`,
      ),
    ),
)

/**
 * Unpairs a screen and removes its actions, analytics and the schedules that name only this screen (assumed). Many
 * playbacks are removed in slices while other requests to the workspace wait; the promise then resolves after the last
 * slice. Returns null if the screen is already removed.
 */
export const unpairScreen = (workspace: Workspace, { id, name }: Screen): Promise<void> | null =>
  workspace.writeInSlices(() => {
    if (removeSomePlaybacks(workspace, { screenId: id }) === MAX_REMOVED) return false
    for (const schedule of schedulesOnlyOf.all(workspace, { id })) {
      removeSchedule(workspace, schedules.get(workspace, schedule.id))
    }
    screens.remove(workspace, id)
    appendSignageEvent(workspace, 'screen.unpaired', { id, name })
    return true
  })
