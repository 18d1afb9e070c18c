/** The owner of a timeline: a workspace. */
import type { ScopedDatabase } from '../storage/database/database.ts'
import type { TopicOwner } from './longPoll.ts'

export interface TimelineOwner extends ScopedDatabase, TopicOwner {
  /** Changes when all records are replaced or deleted. */
  readonly generation: number
  /** False after the workspace was deleted. */
  readonly isRegistered: boolean
  /** Returns the time of the owner's clock, in ms since the epoch. */
  readonly now: () => number
}
