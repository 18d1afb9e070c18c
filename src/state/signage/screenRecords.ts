/** Screens, as they are kept; what can be done to them is told in `screens.ts`. */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { take } from '../machine.ts'
import { record } from '../record.ts'
import { folded, searchedIn } from '../searching.ts'
import { text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { appendSignageEvent } from './events.ts'
import { screenMachine, SILENCE } from './machines.ts'
import { screens as table } from './tables.ts'

export type Screen = typeof table.$inferSelect

/** "1920x1080": at least 1, at most 32768 pixels each way. */
export const RESOLUTION = '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$'

/** Screens with every filter of GET /screens. One that is silent for too long goes offline. */
export const screens = record(table, {
  noun: 'screen',
  derived: { searchKey: folded(({ name }: Pick<Screen, 'name'>) => [name]) },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      group_id: (value) => sql`${table.groupId} = ${value}`,
      search: searchedIn(table.searchKey),
    },
    indexes: { status: [table.status, table.createdAt] },
  }),
  due: {
    at: 'silentAt',
    when: {},
    job: 'signage.screen.lose',
    run(workspace, screen) {
      moveScreen(workspace, screen, 'lose')
    },
  },
  snapshot: {
    section: 'signage',
    name: 'screens',
    instants: ['createdAt', 'updatedAt', 'lastSync', 'silentAt', 'statusSince', 'uptimeAt'],
    shapes: () => ({
      name: text(200),
      resolution: Type.String({ pattern: RESOLUTION }),
      volume: whole(0, 100),
      brightness: whole(0, 100),
      location: Type.Object(
        {
          name: Type.Unsafe({ type: ['string', 'null'], maxLength: 200 }),
          address: Type.Unsafe({ type: ['string', 'null'], maxLength: 500 }),
        },
        { additionalProperties: false },
      ),
      upMs: whole(0),
      uptimeMs: whole(0),
    }),
  },
})

/** Changes that come with a move. */
type Moved = Partial<Pick<Screen, 'lastSync' | 'uptimeMs' | 'uptimeAt'>>

/**
 * Takes the screen to another status; one that it is in already stays, and is not told of. What is no loss is a sign of
 * life, from which the silence is counted anew.
 */
export function moveScreen(
  workspace: Workspace,
  screen: Screen,
  move: 'wake' | 'sleep' | 'lose',
  more: Moved = {},
): Screen {
  const { state: status, event } = take(screenMachine, screen.status, move)
  return workspace.write(() => {
    const now = workspace.now()
    const isLost = status === 'offline'
    const hasMoved = status !== screen.status
    const updated = screens.update(workspace, screen, {
      ...(hasMoved && { status, statusSince: now, upMs: upMsAt(screen, now), updatedAt: now }),
      // A device that is off does not run; one that comes back has just begun to.
      ...(hasMoved && isLost && { uptimeMs: uptimeMsAt(screen, now), uptimeAt: now }),
      ...(hasMoved && screen.status === 'offline' && { uptimeAt: now }),
      ...(!isLost && { lastSync: now }),
      silentAt: isLost ? null : now + SILENCE,
      ...more,
    })
    if (hasMoved) appendSignageEvent(workspace, event, updated)
    return updated
  })
}

/** Ms that the screen has been anything but offline since it was paired. */
export const upMsAt = ({ status, statusSince, upMs }: Screen, now: number): number =>
  status === 'offline' ? upMs : upMs + Math.max(0, now - statusSince)

/** Ms that the device has been running, by its last report of that and the clock; while it is offline they stand still. */
export const uptimeMsAt = ({ status, uptimeMs, uptimeAt }: Screen, now: number): number =>
  status === 'offline' ? uptimeMs : uptimeMs + Math.max(0, now - uptimeAt)
