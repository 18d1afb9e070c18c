/** The table of screens with its filters and status moves. `screens.ts` has the operations. */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { screenMachine, OFFLINE_AFTER, UP } from './machines.ts'
import { screens as table } from './tables.ts'

export type Screen = typeof table.$inferSelect

/** Screens with every filter of GET /screens. A screen without a report for five minutes goes offline. */
export const screens = record(table, {
  noun: 'screen',
  // A body can leave out parts of the location.
  normal: ({ location }) => ({
    location: location && { name: location.name ?? null, address: location.address ?? null },
  }),
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
    when: { status: screenMachine.moves.lose.from },
    job: 'signage.screen.lose',
    run(workspace, screen) {
      moveScreen(workspace, screen, 'lose')
    },
  },
  snapshot: { section: 'signage', name: 'screens' },
})

/** Changes that are written together with a status. */
type Changes = Partial<Pick<Screen, 'lastSync' | 'uptimeMs' | 'uptimeAt'>>

/**
 * Moves the screen to another status. Records an event only if the status changes. Every move except `lose` counts as a
 * report and restarts the offline timeout.
 */
export function moveScreen(
  workspace: Workspace,
  screen: Screen,
  move: 'wake' | 'sleep' | 'lose',
  changes: Changes = {},
): Screen {
  const { state: status, event } = take(screenMachine, screen.status, move)
  return workspace.write(() => {
    const now = workspace.now()
    const isLost = !UP.includes(status)
    const hasMoved = status !== screen.status
    const updated = screens.update(workspace, screen, {
      ...(hasMoved && { status, statusSince: now, upMs: upMsAt(screen, now), updatedAt: now }),
      // The uptime of an offline device stops, and counts again from the time when it is back.
      ...(hasMoved && isLost && { uptimeMs: uptimeMsAt(screen, now), uptimeAt: now }),
      ...(hasMoved && !UP.includes(screen.status) && { uptimeAt: now }),
      ...(!isLost && { lastSync: now }),
      silentAt: canBeLost(status) ? now + OFFLINE_AFTER : null,
      ...changes,
    })
    if (hasMoved) appendSignageEvent(workspace, event, updated)
    return updated
  })
}

/** Returns true if a screen with this status goes offline without reports. */
const canBeLost = (status: Screen['status']): boolean =>
  screenMachine.moves.lose.from.some((each) => each === status)

/** Returns the milliseconds since pairing in which the screen was not offline. */
export const upMsAt = ({ status, statusSince, upMs }: Screen, now: number): number =>
  UP.includes(status) ? upMs + Math.max(0, now - statusSince) : upMs

/** Returns the uptime of the device in ms: its last report plus the time since then, except while it is offline. */
export const uptimeMsAt = (
  { status, uptimeMs, uptimeAt }: Pick<Screen, 'status' | 'uptimeMs' | 'uptimeAt'>,
  now: number,
): number => (UP.includes(status) ? uptimeMs + Math.max(0, now - uptimeAt) : uptimeMs)
