/** The triggers of signage, which simulate devices. OPERATING.md, "Triggers". */
import { Type } from '@sinclair/typebox'
import { Instant, Nullable, OneOf, SentInstant } from '../../http/schemas/schemas.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { Id } from '../../http/schemas/wireShapes.ts'
import { valueOf } from '../../http/shapes/shape.ts'
import { instantOf, iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { assumed } from '../../state/model/fidelity.ts'
import { completeAction, failAction } from '../../state/signage/actions.ts'
import { screenMachine } from '../../state/signage/machines.ts'
import { issuePairingCode } from '../../state/signage/pairing.ts'
import { recordPlayback } from '../../state/signage/playbacks.ts'
import { reportScreen } from '../../state/signage/screens.ts'
import { actions } from '../../state/signage/tables.ts'
import { inMs } from './shapes/common.ts'
import { Action, ScreenDetail } from './shapes/screens.ts'

const byDevice = assumed(
  'The specification shows the requests to devices, but not what devices do. The trigger simulates the device.',
)

export const signageTriggers = [
  trigger({
    name: 'signage.pairing_code.issue',
    summary: 'Have an unpaired device show a pairing code, which expires after 15 minutes.',
    body: Type.Object({}),
    result: Type.Object({ pairing_code: Type.String(), expires_at: Nullable(Instant()) }),
    fidelity: byDevice,
    run(workspace) {
      const { code, expiresAt } = issuePairingCode(workspace)
      return { pairing_code: code, expires_at: isoOrNull(expiresAt) }
    },
  }),
  trigger({
    name: 'signage.screen.report',
    summary: 'Report the status of a device. A screen goes offline five minutes after the last report.',
    body: Type.Object({
      screen_id: Id('scr_'),
      status: Type.Optional(
        OneOf(screenMachine.states, {
          description: 'Default: the current status, or online if the screen is offline.',
        }),
      ),
      uptime_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'How long the device has been running. The uptime continues from this value.',
        }),
      ),
    }),
    records: { screen_id: 'signage.screens' },
    result: ScreenDetail.item,
    fidelity: byDevice,
    run: (workspace, { screen_id: id, status, uptime_hours: uptimeHours }) =>
      ScreenDetail.view(reportScreen(workspace, id, { status, uptimeHours }), workspace),
  }),
  trigger({
    name: 'signage.playback.record',
    summary: 'Record a playback that a device reports.',
    body: Type.Object({
      screen_id: Id('scr_'),
      media_id: Id('med_'),
      playlist_id: Type.Optional(Nullable(Id('plist_'))),
      duration_seconds: Type.Number({ minimum: 0, maximum: 86_400, examples: [10] }),
      completed: Type.Optional(
        Type.Boolean({ description: 'Whether the playback reached the end. Default: true.' }),
      ),
      played_at: Type.Optional(
        SentInstant({
          description: 'Default: now. Must not be in the future.',
          examples: ['2026-11-20T15:00:00Z'],
        }),
      ),
    }),
    records: { screen_id: 'signage.screens', media_id: 'signage.media', playlist_id: 'signage.playlists' },
    result: Type.Object({ playback_id: Type.String(), played_at: Instant() }),
    fidelity: byDevice,
    run(workspace, { screen_id: screenId, media_id: mediaId, completed = true, ...more }) {
      const { duration_seconds: duration, playlist_id: playlistId, played_at: playedAt } = more
      const { id, playedAt: at } = recordPlayback(workspace, {
        screenId,
        mediaId,
        playlistId: playlistId ?? undefined,
        durationMs: inMs(duration),
        completed,
        playedAt: playedAt === undefined ? undefined : instantOf(playedAt, workspace),
      })
      return { playback_id: id, played_at: iso(at) }
    },
  }),
  trigger({
    name: 'signage.action.complete',
    summary: 'Complete an action on a device. This also counts as a report of the device.',
    body: Type.Object({
      action_id: Id('act_'),
      result_url: Type.Optional(
        Nullable(
          valueOf(actions.resultUrl, {
            description: 'The URL of the screenshot.',
            examples: ['https://example.com/screenshots/1.png'],
          }),
        ),
      ),
    }),
    records: { action_id: 'signage.actions' },
    result: Action.item,
    fidelity: byDevice,
    run: (workspace, { action_id: id, result_url: url = null }) =>
      Action.view(completeAction(workspace, id, url), workspace),
  }),
  trigger({
    name: 'signage.action.fail',
    summary: 'Fail an action on a device. This also counts as a report of the device.',
    body: Type.Object({
      action_id: Id('act_'),
      error: Type.Optional(Nullable(valueOf(actions.error, { examples: ['The display did not answer'] }))),
    }),
    records: { action_id: 'signage.actions' },
    result: Action.item,
    fidelity: byDevice,
    run: (workspace, { action_id: id, error = null }) =>
      Action.view(failAction(workspace, id, error), workspace),
  }),
]
