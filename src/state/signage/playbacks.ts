/**
 * Playbacks that devices report. Each playback is added to the sums of its hour and day, which analytics read. Hours and
 * days are in UTC, so that the sums stay valid if the time zone of the workspace changes.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { recordKey } from '../storage/columns.ts'
import { parts, record } from '../storage/records/record.ts'
import type { RecordSet } from '../storage/records/records.ts'
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { media } from './mediaRecords.ts'
import { playlists } from './playlists.ts'
import { screens } from './screenRecords.ts'
import { playbacks as table, playbackSums as sumTable, SUM_SPANS } from './tables.ts'

export type Playback = typeof table.$inferSelect

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

const LENGTHS = { hour: HOUR, day: DAY } as const

const playbacks = record(table, {
  noun: 'playback',
  snapshot: { section: 'signage', name: 'playbacks' },
})

const playbackSums = parts(sumTable, {
  snapshot: { section: 'signage', name: 'playbackSums' },
})

const parameter = (name: string) => sql`${sql.placeholder(name)}`

const addToSum = playbackSums.updateAll(
  {
    plays: sql`${sumTable.plays} + 1`,
    completed: sql`${sumTable.completed} + ${sql.placeholder('completed')}`,
    durationMs: sql`${sumTable.durationMs} + ${sql.placeholder('durationMs')}`,
  },
  and(
    eq(sumTable.span, parameter('span')),
    eq(sumTable.startsAt, parameter('startsAt')),
    eq(sumTable.screenId, parameter('screenId')),
    eq(sumTable.mediaId, parameter('mediaId')),
    eq(sumTable.playlistId, parameter('playlistId')),
  ) ?? sql`false`,
)

function addUp(workspace: Workspace, { playedAt, playlistId, ...playback }: Playback): void {
  const { screenId, mediaId, durationMs } = playback
  for (const span of SUM_SPANS) {
    const startsAt = Math.floor(playedAt / LENGTHS[span]) * LENGTHS[span]
    const added = {
      span,
      startsAt,
      screenId,
      mediaId,
      playlistId: playlistId ?? '',
      completed: Number(playback.completed),
      durationMs,
    }
    if (addToSum(workspace, added) === 0) playbackSums.insert(workspace, { ...added, plays: 1 })
  }
}

/** Removes some playbacks of a screen and returns their number. Call only inside a `write`. */
export const removeSomePlaybacks = playbacks.removeSome(eq(table.screenId, parameter('screenId')))

/** Playbacks in snapshots. Each restored playback is added to the sums again, */
export const playbackRecords: RecordSet = {
  ...playbacks,
  put(workspace, row) {
    playbacks.put(workspace, row)
    addUp(workspace, row as Playback)
  },
}

/** so the sums in a snapshot are not restored. */
export const playbackSumRecords: RecordSet = { ...playbackSums, put: () => undefined }

export interface NewPlayback extends Omit<Playback, keyof typeof recordKey | 'playlistId' | 'playedAt'> {
  readonly playlistId?: string | undefined
  /** Default: now. */
  readonly playedAt?: number | undefined
}

/** Records a playback that a device reports. */
export function recordPlayback(workspace: Workspace, reported: NewPlayback): Playback {
  return workspace.write(() => {
    const { playlistId = null, playedAt = workspace.now() } = reported
    screens.get(workspace, reported.screenId)
    media.get(workspace, reported.mediaId)
    if (playlistId !== null) playlists.get(workspace, playlistId)
    if (playedAt > workspace.now()) {
      refuseProperty('playedAt', 'in_the_future', '{playedAt} must not be in the future')
    }
    const playback = playbacks.insert(workspace, {
      ...reported,
      id: workspace.ids.prefixed('play_'),
      playlistId,
      playedAt,
    })
    addUp(workspace, playback)
    return playback
  })
}
