/** The schemas of the event data of signage: the records as the operations return them. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'
import { Group } from './shapes/groups.ts'
import { Layout } from './shapes/layouts.ts'
import { Media } from './shapes/media.ts'
import { Playlist } from './shapes/playlists.ts'
import { Schedule } from './shapes/schedules.ts'
import { Action, Screen } from './shapes/screens.ts'

export const ScreenData = Screen.item
export const ActionData = Action.item
export const MediaData = Media.item
export const PlaylistData = Playlist.item
export const LayoutData = Layout.item
export const ScheduleData = Schedule.item
export const GroupData = Group.item

export const DeletedData = named(
  'DeletedEventData',
  Assumed(
    'The specification does not show events of signage. The simulator sends the id, the name and the time of the deletion.',
    Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
  ),
)
