/** The schemas of the event data of signage: the records as the operations return them. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named } from '../../http/schemas/schemas.ts'

export { Group } from './schemas/groups.ts'
export { Layout } from './schemas/layouts.ts'
export { Media } from './schemas/media.ts'
export { Playlist } from './schemas/playlists.ts'
export { Schedule } from './schemas/schedules.ts'
export { Action, Screen } from './schemas/screens.ts'

export const Deleted = named(
  'DeletedEventData',
  Assumed(
    'The specification does not show events of signage. The simulator sends the id, the name and the time of the deletion.',
    Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
  ),
)
