/** Analytics. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import type { NamedKind } from '../../http/lifecycle/namedRecords.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { instantOf, iso, lastInstantOf } from '@suite-sim/kit/time/instants'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuse } from '../../state/model/refusal.ts'
import { playbackTotals, screenSummary, type Grouping, type Total } from '../../state/signage/analytics.ts'
import { namesOfDeleted } from '../../state/signage/deletedNames.ts'
import { media } from '../../state/signage/mediaRecords.ts'
import { playlists } from '../../state/signage/playlists.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { PlaybackQuery, PlaybackReport, ScreenStatusSummary } from './shapes/analytics.ts'

const DAY = 86_400_000
const DEFAULT_PERIOD = 30 * DAY

/** The maximum period in days if `group_by` is hour, which limits the rows of a response. */
const MAX_DAYS_OF_HOURS = 92

/** The maximum number of records in a response. */
const MAX_ROWS = 1000

/** Extends a kind with deleted media and playlists, because analytics still count their plays. */
const withDeleted = ({ noun, find }: NamedKind): NamedKind => ({
  noun,
  find: (workspace, id) => find(workspace, id) ?? namesOfDeleted(workspace, [id])[0],
})

export const analytics: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Analytics' })

  at('/analytics/playback').get({
    id: 'getPlaybackAnalytics',
    summary: 'Get playback analytics',
    description:
      'Sums the playbacks that devices report, with the trigger signage.playback.record or the player.',
    scope: 'grid:analytics:read',
    fidelity: documentedBut(
      'Assumed: all query parameters are optional. The period includes both ends; for group_by=hour it has at most 92 days. completion_rate is the percentage of plays that reached the end. Days and hours are in the time zone of the workspace. An hour has its UTC offset, so that each of the two hours with the same local time at a change of the clocks has a row.',
    ),
    paging: unpaged('The specification shows its meta, which has a period and no pages.'),
    names: { screen_id: screens, media_id: withDeleted(media), playlist_id: withDeleted(playlists) },
    query: PlaybackQuery,
    answers: { 200: PlaybackReport },
    async run({ query, workspace }) {
      const { group_by: groupBy, screen_id: screenId, media_id: mediaId, playlist_id: playlistId } = query
      const period = periodOf(workspace, query)
      const totals = await playbackTotals(workspace, { ...period, groupBy, screenId, mediaId, playlistId })
      return {
        data: rowsOf(workspace, groupBy, totals),
        meta: {
          period: { from: iso(period.from), to: iso(period.to) },
          total_plays: totals.reduce((sum, { plays }) => sum + plays, 0),
        },
      }
    },
  })

  at('/analytics/screens/status').get({
    id: 'getScreenStatus',
    summary: 'Get the status summary of screens',
    fidelity: documentedBut('Assumed: the response has no envelope.'),
    answers: { 200: ScreenStatusSummary },
    run({ workspace }) {
      const { total, byStatus, averageUptime } = screenSummary(workspace)
      return {
        total_screens: total,
        ...byStatus,
        average_uptime_percent: averageUptime === null ? null : percent(averageUptime),
      }
    },
  })
}

/** Converts a fraction to a percentage with one decimal. */
const percent = (part: number): number => Math.round(part * 1000) / 10

function periodOf(workspace: Workspace, query: Static<typeof PlaybackQuery>): { from: number; to: number } {
  const to = query.to === undefined ? workspace.now() : lastInstantOf(query.to, workspace)
  const from = query.from === undefined ? to - DEFAULT_PERIOD : instantOf(query.from, workspace)
  const refuseTo = (code: string, message: string): never =>
    refuse('invalid_query', `Query: ${message}`, { details: [{ field: 'to', code, message }] })
  if (from > to) refuseTo('out_of_order', 'to must not be before from')
  if (query.group_by === 'hour' && to - from >= MAX_DAYS_OF_HOURS * DAY + 1) {
    refuseTo(
      'too_late',
      `to must be at most ${String(MAX_DAYS_OF_HOURS)} days after from if group_by is hour`,
    )
  }
  return { from, to }
}

const RECORDS = { screen: screens, media, playlist: playlists } as const

function rowsOf(
  workspace: Workspace,
  groupBy: Grouping,
  totals: readonly Total[],
): Static<typeof PlaybackReport>['data'] {
  if (groupBy === 'hour') return totals.map((total) => ({ hour: total.key, ...sumsOf(total) }))
  if (groupBy === 'day') return totals.map((total) => ({ day: total.key, ...sumsOf(total) }))
  const rows = totals.slice(0, MAX_ROWS)
  const ids = rows.map(({ key }) => key)
  const records = [...namesOfDeleted(workspace, ids), ...RECORDS[groupBy].findAll(workspace, ids)]
  const names = new Map(records.map(({ id, name }) => [id, name]))
  return rows.map((total) => {
    const { key: id } = total
    const name = names.get(id) ?? null
    const sums = sumsOf(total)
    switch (groupBy) {
      case 'media':
        return { media_id: id, media_name: name, ...sums }
      case 'screen':
        return { screen_id: id, screen_name: name, ...sums }
      case 'playlist':
        return { playlist_id: id === '' ? null : id, playlist_name: name, ...sums }
    }
  })
}

const sumsOf = ({ plays, completed, durationMs, screens: uniqueScreens }: Total) => ({
  total_plays: plays,
  total_duration_seconds: durationMs / 1000,
  unique_screens: uniqueScreens,
  completion_rate: percent(completed / plays),
})
