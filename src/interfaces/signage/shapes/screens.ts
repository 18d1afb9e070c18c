/** Screens and their actions on the wire. Specification part 1, "Screen (signage)", "Signage". */
import { Type } from '@sinclair/typebox'
import { Assumed, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import type { Lookup } from '../../../http/shapes/fields.ts'
import { bodyOnly, made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { lastActionsOf } from '../../../state/signage/actions.ts'
import { screenMachine } from '../../../state/signage/machines.ts'
import { currentPlaylists, minuteOf } from '../../../state/signage/playing.ts'
import { uptimeMsAt } from '../../../state/signage/screenRecords.ts'
import { actions, screens } from '../../../state/signage/tables.ts'
import { nameField, resolutionField, Search } from './common.ts'

const HOUR = 3_600_000

const name = nameField('Lobby')
const GroupId = () => Id('grp_', { description: 'The group of the screen.' })
const volume = {
  bounded: true,
  words: { description: 'The volume in percent (assumed).', examples: [50] },
} as const
const brightness = {
  bounded: true,
  words: { description: 'The brightness in percent (assumed).', examples: [80] },
} as const

const SentLocation = () =>
  Type.Object({
    name: Type.Optional(Nullable(Type.String({ maxLength: 200, examples: ['Showroom'] }))),
    address: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['Calle 50, Panama City'] }))),
  })

export const ScreenPair = shape({ create: 'ScreenPair' }, screens, {
  fields: () => ({
    pairing_code: {
      ...bodyOnly(
        'create',
        Type.String({
          minLength: 1,
          maxLength: 50,
          pattern: '^\\S+$',
          'x-wording': 'must be a code without spaces',
          description: 'The code that the device shows. Not case-sensitive.',
          examples: ['DEMO42'],
        }),
      ),
      required: true,
    },
    name: { ...name, sent: 'create', required: true },
    group_id: { sent: 'create', schema: GroupId() },
    orientation: { sent: 'create', words: { description: 'Default: landscape (assumed).' } },
    location: { sent: 'create', schema: SentLocation() },
  }),
})

const updatedToo =
  'The specification does not show this field in the update. The simulator accepts it, as in pairing.'

export const ScreenUpdate = shape({ update: 'ScreenUpdate' }, screens, {
  fields: () => ({
    name: { ...name, sent: 'update' },
    orientation: { sent: 'update' },
    volume: { ...volume, sent: 'update' },
    brightness: { ...brightness, sent: 'update' },
    group_id: { sent: 'update', assumed: updatedToo, schema: GroupId() },
    location: { sent: 'update', assumed: updatedToo, schema: SentLocation() },
  }),
})

const returnedToo =
  'The specification does not show this field in the response. The simulator returns it, because requests can set it.'

const playlistsNow: Lookup<[typeof screens.id, typeof screens.groupId], string | null> = {
  columns: [screens.id, screens.groupId],
  read: (workspace, rows) =>
    currentPlaylists(
      workspace,
      rows.map(([id, groupId]) => ({ id, groupId })),
    ),
}

export const Screen = shape({ item: 'Screen' }, screens, {
  fields: () => ({
    id: { schema: Id('scr_') },
    name,
    status: {},
    orientation: {},
    resolution: {
      ...resolutionField,
      shows: {
        description: 'The resolution of the device. Default: 1920x1080, or 1080x1920 in portrait (assumed).',
      },
    },
    current_playlist_id: madeFrom(
      Nullable(
        Id('plist_', {
          description:
            'The playlist that the schedules play now. For a layout, the playlist of its first zone that has one. null if nothing plays (assumed).',
        }),
      ),
      playlistsNow,
      (id) => id,
    ),
    group_id: { schema: GroupId() },
    last_sync: { words: { description: 'The time of the last report of the device.' } },
    uptime_hours: made(
      Type.Integer({
        minimum: 0,
        description:
          'The uptime of the device: the last reported value plus the time since then, except while it is offline.',
      }),
      [screens.status, screens.uptimeMs, screens.uptimeAt],
      ([status, uptimeMs, uptimeAt], workspace) =>
        Math.floor(uptimeMsAt({ status, uptimeMs, uptimeAt }, minuteOf(workspace)) / HOUR),
    ),
    created_at: {},
    volume: { ...volume, assumed: returnedToo },
    brightness: { ...brightness, assumed: returnedToo },
    location: {
      assumed: returnedToo,
      schema: Type.Object({
        name: Nullable(Type.String({ examples: ['Showroom'] })),
        address: Nullable(Type.String({ examples: ['Calle 50, Panama City'] })),
      }),
    },
  }),
})

export const Action = shape({ item: 'ScreenAction', create: 'ScreenActionRequest' }, actions, {
  assumed: 'The specification shows the request, but no response.',
  fields: () => ({
    action_id: made(Id('act_'), [actions.id], ([id]) => id),
    screen_id: { schema: Id('scr_') },
    action: { sent: 'create', required: true },
    reason: { sent: 'create', takes: { examples: ['The picture is frozen'] } },
    status: {},
    error: { words: { description: 'The reason of the failure.' } },
    result_url: { words: { description: 'The URL of the screenshot after it was taken.' } },
    requested_at: {},
    finished_at: {},
  }),
})

export const ScreenDetail = shape({ item: 'ScreenDetail' }, screens, {
  fields: () => ({
    ...Screen.fields(),
    actions: made(
      Assumed(
        'The specification does not show where to read the outcome of an action. The simulator returns it here.',
        Type.Array(Action.item, { description: 'The latest actions, newest first, at most 20.' }),
      ),
      [screens.id],
      ([id], workspace) => Action.views(lastActionsOf(workspace, id), workspace),
    ),
  }),
})

export const ScreenId = Type.Object({ screen_id: Id('scr_') })

export const ScreenQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(screenMachine.states)),
  group_id: Type.Optional(Id('grp_')),
  search: Search(),
})
