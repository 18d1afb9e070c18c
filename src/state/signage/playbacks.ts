/**
 * What screens have shown, as their devices tell. Each playback is added to the sums of its hour and of its day (of UTC,
 * so that no change of the workspace's time zone makes them untrue), which is what analytics read.
 */
import { and, eq, sql } from 'drizzle-orm'
import { parts, record } from '../record.ts'
import type { RecordSet } from '../records.ts'
import { refuseProperty } from '../refusal.ts'
import { LONGEST_ID, upTo, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { media } from './mediaRecords.ts'
import { LONGEST_ITEM, playlists } from './playlists.ts'
import { screens } from './screenRecords.ts'
import { playbacks as table, playbackSums as sumTable, SUM_SPANS } from './tables.ts'

export type Playback = typeof table.$inferSelect

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

const LENGTHS = { hour: HOUR, day: DAY } as const

const playbacks = record(table, {
  noun: 'playback',
  snapshot: {
    section: 'signage',
    name: 'playbacks',
    instants: ['playedAt'],
    shapes: () => ({ durationMs: whole(0, LONGEST_ITEM) }),
  },
})

const playbackSums = parts(sumTable, {
  snapshot: {
    section: 'signage',
    name: 'playbackSums',
    instants: ['startsAt'],
    // A playback of no playlist has an empty id in its sums, because the key of a sum has no null.
    shapes: () => ({
      playlistId: upTo(LONGEST_ID),
      plays: whole(0),
      completed: whole(0),
      durationMs: whole(0),
    }),
  },
})

const sent = (name: string) => sql`${sql.placeholder(name)}`

const addToSum = playbackSums.updateAll(
  {
    plays: sql`${sumTable.plays} + 1`,
    completed: sql`${sumTable.completed} + ${sql.placeholder('completed')}`,
    durationMs: sql`${sumTable.durationMs} + ${sql.placeholder('durationMs')}`,
  },
  and(
    eq(sumTable.span, sent('span')),
    eq(sumTable.startsAt, sent('startsAt')),
    eq(sumTable.screenId, sent('screenId')),
    eq(sumTable.mediaId, sent('mediaId')),
    eq(sumTable.playlistId, sent('playlistId')),
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

/** Removes some of what a screen has shown; answers with how many. Only inside a `write`. */
export const removeSomePlaybacks = playbacks.removeSome(eq(table.screenId, sent('screenId')))

/** As they stand in snapshots: each one that is put back is added up again, */
export const playbackRecords: RecordSet = {
  ...playbacks,
  put(workspace, row) {
    playbacks.put(workspace, row)
    addUp(workspace, row as Playback)
  },
}

/** and so the sums themselves are not. */
export const playbackSumRecords: RecordSet = { ...playbackSums, put: () => undefined }

export interface NewPlayback {
  readonly screenId: string
  readonly mediaId: string
  readonly playlistId?: string | undefined
  readonly durationMs: number
  readonly completed: boolean
  /** Now, unless it is told. */
  readonly playedAt?: number | undefined
}

/** A device has shown something. */
export function recordPlayback(workspace: Workspace, played: NewPlayback): Playback {
  return workspace.write(() => {
    const { playlistId = null, playedAt = workspace.now() } = played
    screens.get(workspace, played.screenId)
    media.get(workspace, played.mediaId)
    if (playlistId !== null) playlists.get(workspace, playlistId)
    if (playedAt > workspace.now()) {
      refuseProperty('playedAt', 'in_the_future', '{playedAt} must not be in the future')
    }
    const playback = playbacks.insert(workspace, {
      ...played,
      id: workspace.ids.prefixed('play_'),
      playlistId,
      playedAt,
    })
    addUp(workspace, playback)
    return playback
  })
}
