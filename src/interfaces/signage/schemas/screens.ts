/** Wire shapes of screens and of what they are asked to do. Specification part 1, "Screen (signage)", "Signage". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { Id, pageQuery } from '../../../http/wireShapes.ts'
import { actionMachine, screenMachine } from '../../../state/signage/machines.ts'
import { ACTIONS, ORIENTATIONS } from '../../../state/signage/tables.ts'
import { Name, Resolution, Search } from './common.ts'

const name = Name('Lobby')

const groupId = Nullable(Id('grp_', { description: 'The group that it is in.' }))

const location = Nullable(
  Type.Object({
    name: Type.Optional(Nullable(Type.String({ maxLength: 200, examples: ['Showroom'] }))),
    address: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['Calle 50, Panama City'] }))),
  }),
)

const Percent = (what: string, example: number) =>
  Assumed(
    'The specification names it and shows no values: whole percents.',
    Type.Integer({ minimum: 0, maximum: 100, description: what, examples: [example] }),
  )

const volume = Percent('How loud it is.', 50)
const brightness = Percent('How bright it is.', 80)

export const ScreenPair = named(
  'ScreenPair',
  Type.Object({
    pairing_code: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^\\S+$',
      'x-wording': 'must be a code without spaces',
      description: 'The code that the device shows, in whatever case.',
      examples: ['DEMO42'],
    }),
    name,
    group_id: Type.Optional(groupId),
    orientation: Type.Optional(
      OneOf(ORIENTATIONS, { description: 'landscape unless it is said (assumed).' }),
    ),
    location: Type.Optional(location),
  }),
)

export const ScreenUpdate = named(
  'ScreenUpdate',
  Type.Partial(
    Type.Object({
      name,
      orientation: OneOf(ORIENTATIONS),
      volume,
      brightness,
      group_id: Assumed('Not among the fields that are shown; as when it is paired.', groupId),
      location: Assumed('Not among the fields that are shown; as when it is paired.', location),
    }),
  ),
)

const screenFields = {
  id: Id('scr_'),
  name,
  status: OneOf(screenMachine.states),
  orientation: OneOf(ORIENTATIONS),
  resolution: Resolution({
    description: 'What the device has; 1920x1080, or 1080x1920 in portrait, unless it tells (assumed).',
  }),
  current_playlist_id: Nullable(
    Id('plist_', {
      description:
        'What it is to play now by its schedules; of a layout the playlist of its first zone that has one; null for none (assumed).',
    }),
  ),
  group_id: groupId,
  last_sync: Nullable(Instant({ description: 'When the device was last heard of.' })),
  uptime_hours: Type.Integer({
    minimum: 0,
    description:
      'How long the device has been running: as it last told, and on from there while it is not offline.',
  }),
  created_at: Instant(),
}

const shownToo = <Schema extends Parameters<typeof Assumed>[1]>(schema: Schema) =>
  Assumed('Not among the fields that are shown; it is sent, and so it is shown.', schema)

const moreFields = {
  volume: shownToo(volume),
  brightness: shownToo(brightness),
  location: shownToo(
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
    'The specification shows what is asked for, and no answer.',
    Type.Object({
      action_id: Id('act_'),
      screen_id: Id('scr_'),
      action: OneOf(ACTIONS),
      reason: Nullable(Type.String()),
      status: OneOf(actionMachine.states),
      error: Nullable(Type.String({ description: 'Why it failed.' })),
      result_url: Nullable(
        Type.String({ format: 'uri', description: 'Where the screenshot is, once it was made.' }),
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
      'The specification does not show where what became of an action is to be seen.',
      Type.Array(Action, {
        description: 'What it was asked to do last, the newest first, at most 20.',
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
