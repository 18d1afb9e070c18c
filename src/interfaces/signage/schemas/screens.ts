/** Wire shapes of screens and their actions. Specification part 1, "Screen (signage)", "Signage". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { actionMachine, screenMachine } from '../../../state/signage/machines.ts'
import { ACTIONS, ORIENTATIONS } from '../../../state/signage/tables.ts'
import { Name, Resolution, Search } from './common.ts'

const name = Name('Lobby')

const groupId = Nullable(Id('grp_', { description: 'The group of the screen.' }))

const location = Nullable(
  Type.Object({
    name: Type.Optional(Nullable(Type.String({ maxLength: 200, examples: ['Showroom'] }))),
    address: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['Calle 50, Panama City'] }))),
  }),
)

const Percent = (description: string, example: number) =>
  Assumed(
    'The specification names the field, but shows no values. The simulator uses an integer percentage.',
    Type.Integer({ minimum: 0, maximum: 100, description, examples: [example] }),
  )

const volume = Percent('The volume in percent.', 50)
const brightness = Percent('The brightness in percent.', 80)

export const ScreenPair = named(
  'ScreenPair',
  Type.Object({
    pairing_code: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^\\S+$',
      'x-wording': 'must be a code without spaces',
      description: 'The code that the device shows. Not case-sensitive.',
      examples: ['DEMO42'],
    }),
    name,
    group_id: Type.Optional(groupId),
    orientation: Type.Optional(OneOf(ORIENTATIONS, { description: 'Default: landscape (assumed).' })),
    location: Type.Optional(location),
  }),
)

const updatedToo =
  'The specification does not show this field in the update. The simulator accepts it, as in pairing.'

export const ScreenUpdate = named(
  'ScreenUpdate',
  Type.Partial(
    Type.Object({
      name,
      orientation: OneOf(ORIENTATIONS),
      volume,
      brightness,
      group_id: Assumed(updatedToo, groupId),
      location: Assumed(updatedToo, location),
    }),
  ),
)

const screenFields = {
  id: Id('scr_'),
  name,
  status: OneOf(screenMachine.states),
  orientation: OneOf(ORIENTATIONS),
  resolution: Resolution({
    description: 'The resolution of the device. Default: 1920x1080, or 1080x1920 in portrait (assumed).',
  }),
  current_playlist_id: Nullable(
    Id('plist_', {
      description:
        'The playlist that the schedules play now. For a layout, the playlist of its first zone that has one. null if nothing plays (assumed).',
    }),
  ),
  group_id: groupId,
  last_sync: Nullable(Instant({ description: 'The time of the last report of the device.' })),
  uptime_hours: Type.Integer({
    minimum: 0,
    description:
      'The uptime of the device: the last reported value plus the time since then, except while it is offline.',
  }),
  created_at: Instant(),
}

const returnedToo = <Schema extends Parameters<typeof Assumed>[1]>(schema: Schema) =>
  Assumed(
    'The specification does not show this field in the response. The simulator returns it, because requests can set it.',
    schema,
  )

const moreFields = {
  volume: returnedToo(volume),
  brightness: returnedToo(brightness),
  location: returnedToo(
    Nullable(
      Type.Object({
        name: Nullable(Type.String({ examples: ['Showroom'] })),
        address: Nullable(Type.String({ examples: ['Calle 50, Panama City'] })),
      }),
    ),
  ),
}

export const Screen = named('Screen', Type.Object({ ...screenFields, ...moreFields }))

export const ActionRequest = named(
  'ScreenActionRequest',
  Type.Object({
    action: OneOf(ACTIONS),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['The picture is frozen'] }))),
  }),
)

export const Action = named(
  'ScreenAction',
  Assumed(
    'The specification shows the request, but no response.',
    Type.Object({
      action_id: Id('act_'),
      screen_id: Id('scr_'),
      action: OneOf(ACTIONS),
      reason: Nullable(Type.String()),
      status: OneOf(actionMachine.states),
      error: Nullable(Type.String({ description: 'The reason of the failure.' })),
      result_url: Nullable(
        Type.String({ format: 'uri', description: 'The URL of the screenshot after it was taken.' }),
      ),
      requested_at: Instant(),
      finished_at: Nullable(Instant()),
    }),
  ),
)

export const ScreenDetail = named(
  'ScreenDetail',
  Type.Object({
    ...screenFields,
    ...moreFields,
    actions: Assumed(
      'The specification does not show where to read the outcome of an action. The simulator returns it here.',
      Type.Array(Action, {
        description: 'The latest actions, newest first, at most 20.',
      }),
    ),
  }),
)

export const ScreenId = Type.Object({ screen_id: Id('scr_') })

export const ScreenQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(screenMachine.states)),
  group_id: Type.Optional(Id('grp_')),
  search: Search(),
})
