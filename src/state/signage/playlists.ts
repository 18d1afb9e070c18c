/** Playlists and their items. Specification part 1, "Playlist (signage)". */
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { addHint } from '../timeline/causes.ts'
import { numbered } from '../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuseProperty } from '../model/refusal.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { saveDeletedName } from './deletedNames.ts'
import { appendSignageEvent } from './events.ts'
import { media } from './mediaRecords.ts'
import {
  layouts,
  layoutZones,
  media as mediaTable,
  playlistItems as itemTable,
  playlists as table,
  scheduleGroups,
  scheduleRules,
  schedules,
  scheduleScreens,
  screens,
} from './tables.ts'
import { mustBeUnused, NAMED_USERS } from './usage.ts'
import { isChange, mustDiffer, unlessSame } from '../storage/unchanged.ts'

export type Playlist = typeof table.$inferSelect

/** An item in a request body. */
export interface SentItem extends Pick<Item, 'mediaId'> {
  /** In ms; required for images. */
  readonly durationMs?: number | null
  readonly transition?: Item['transition']
  readonly transitionMs?: number
}

export type PlaylistFields = Partial<
  Omit<Playlist, keyof typeof recordKey | keyof typeof withTimes | 'searchKey'>
> & {
  /** The complete list, in order. */
  readonly items?: readonly SentItem[]
}

export type NewPlaylist = PlaylistFields & Pick<Playlist, 'name'>

/**
 * Filters playlists that an active schedule shows on the screen, directly or in a layout. SQLite keeps the order of cross
 * joins, starting at the screen; other joins read the rules of all schedules.
 */
const isOnScreen = (screenId: unknown) => {
  const rules = sql`(
    select ${scheduleScreens.scheduleId} as schedule from ${scheduleScreens}
      where ${ofWorkspace(scheduleScreens)} and ${scheduleScreens.screenId} = ${screenId}
    union
    select ${scheduleGroups.scheduleId} from ${screens} cross join ${scheduleGroups}
      on ${scheduleGroups.workspace} = ${screens.workspace} and ${scheduleGroups.groupId} = ${screens.groupId}
      where ${ofWorkspace(screens)} and ${screens.id} = ${screenId}
  ) named
  cross join ${schedules} on ${ofWorkspace(schedules)} and ${schedules.id} = named.schedule and ${schedules.active} = 1
  cross join ${scheduleRules} on ${ofWorkspace(scheduleRules)} and ${scheduleRules.scheduleId} = named.schedule`
  return sql`${table.id} in (
    select ${scheduleRules.playlistId} from ${rules}
    union
    select ${layoutZones.playlistId} from ${rules}
      cross join ${layoutZones} on ${ofWorkspace(layoutZones)} and ${layoutZones.layoutId} = ${scheduleRules.layoutId}
  )`
}

export const playlists = record(table, {
  noun: 'playlist',
  derived: { searchKey: folded(({ name }) => [name]) },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: { search: searchedIn(table.searchKey), screen_id: isOnScreen },
  }),
  snapshot: { section: 'signage', name: 'playlists' },
})

export const playlistItems = record(itemTable, {
  noun: 'item',
  snapshot: { section: 'signage', name: 'playlistItems' },
})

/** The items of playlists with their media, by position. */
export const itemsOf = queryOfEach('playlistId', (orm) =>
  orm
    .select({
      ...getTableColumns(itemTable),
      mediaName: mediaTable.name,
      mediaType: mediaTable.type,
      mediaDurationMs: mediaTable.durationMs,
      fileId: mediaTable.fileId,
      fileName: mediaTable.fileName,
    })
    .from(itemTable)
    .innerJoin(
      mediaTable,
      and(eq(mediaTable.workspace, itemTable.workspace), eq(mediaTable.id, itemTable.mediaId)),
    )
    .where(and(ofWorkspace(itemTable), isAmong(itemTable.playlistId)))
    .orderBy(asc(itemTable.position)),
)

/** An item of a playlist with its medium. */
export type Item = ReturnType<typeof itemsOf.of>[number]

/** Returns the display time in ms: the duration of the item, else of the video; null if neither is known. */
export const displayDuration = ({ durationMs, mediaDurationMs }: Item): number | null =>
  durationMs ?? mediaDurationMs

/** Returns the milliseconds that it takes to play all items once. Items of unknown duration count 0. */
export const totalDuration = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + (displayDuration(item) ?? 0), 0)

const countsOfScreens = query((orm) => {
  const workspace = sql.placeholder('workspace')
  const id = sql`wanted.value`
  const having = sql`select ${scheduleRules.scheduleId} as schedule from ${scheduleRules}
      where ${scheduleRules.workspace} = ${workspace} and ${scheduleRules.playlistId} = ${id}
    union
    select ${scheduleRules.scheduleId} from ${layoutZones} cross join ${scheduleRules}
      on ${scheduleRules.workspace} = ${layoutZones.workspace} and ${scheduleRules.layoutId} = ${layoutZones.layoutId}
      where ${layoutZones.workspace} = ${workspace} and ${layoutZones.playlistId} = ${id}`
  const named = sql`select ${scheduleScreens.screenId} as screen from (${having}) having_it
      cross join ${schedules} on ${schedules.workspace} = ${workspace} and ${schedules.id} = having_it.schedule and ${schedules.active} = 1
      cross join ${scheduleScreens} on ${scheduleScreens.workspace} = ${workspace} and ${scheduleScreens.scheduleId} = having_it.schedule
    union
    select ${screens.id} from (${having}) having_it
      cross join ${schedules} on ${schedules.workspace} = ${workspace} and ${schedules.id} = having_it.schedule and ${schedules.active} = 1
      cross join ${scheduleGroups} on ${scheduleGroups.workspace} = ${workspace} and ${scheduleGroups.scheduleId} = having_it.schedule
      cross join ${screens} on ${screens.workspace} = ${workspace} and ${screens.groupId} = ${scheduleGroups.groupId}`
  return orm
    .select({ id: sql<string>`${id}`, count: sql<number>`(select count(*) from (${named}))` })
    .from(sql`json_each(${sql.placeholder('ids')}) as wanted`)
})

/** Counts the screens of the active schedules that show each of these playlists, directly or in a layout. */
export const countScreens = (workspace: Workspace, ids: readonly string[]): Map<string, number> =>
  new Map(
    countsOfScreens.all(workspace, { ids: JSON.stringify(ids) }).map(({ id, count }) => [id, count] as const),
  )

export function createPlaylist(workspace: Workspace, { items = [], ...fields }: NewPlaylist): Playlist {
  return workspace.write(() => {
    const now = workspace.now()
    const playlist = playlists.insert(workspace, {
      playbackMode: 'loop',
      shuffle: false,
      ...fields,
      id: workspace.ids.prefixed('plist_'),
      createdAt: now,
      updatedAt: now,
    })
    insertItems(workspace, playlist.id, items)
    appendSignageEvent(workspace, 'playlist.created', playlist)
    return playlist
  })
}

/** Changes the given fields; `items` replaces all items. Without a change, does nothing. */
export function updatePlaylist(
  workspace: Workspace,
  playlist: Playlist,
  { items, ...fields }: PlaylistFields,
): Playlist {
  const isSame = !isChange(playlist, fields)
  if (items === undefined && isSame) return playlist
  return unlessSame(playlist, () =>
    workspace.write(() => {
      if (items) {
        const before = itemsOf.of(workspace, playlist.id)
        for (const { id } of before) playlistItems.remove(workspace, id)
        insertItems(workspace, playlist.id, items)
        if (isSame) mustDiffer(before, itemsOf.of(workspace, playlist.id))
      }
      return recordUpdate(workspace, playlist, fields)
    }),
  )
}

/** Updates the row of the playlist and records the event. Call only inside a `write`. */
function recordUpdate(workspace: Workspace, playlist: Playlist, fields: PlaylistFields = {}): Playlist {
  const updated = playlists.update(workspace, playlist, { ...fields, updatedAt: workspace.now() })
  appendSignageEvent(workspace, 'playlist.updated', updated)
  return updated
}

/**
 * Removes a medium from at most `limit` playlists, renumbers their items, and returns the number of playlists. Call only
 * inside a `write`.
 */
export function removeFromPlaylists(workspace: Workspace, mediaId: string, limit: number): number {
  const found = playlistsWith.all(workspace, { mediaId, limit })
  for (const { id } of found) {
    const rest = itemsOf.of(workspace, id).filter((item) => {
      if (item.mediaId === mediaId) playlistItems.remove(workspace, item.id)
      return item.mediaId !== mediaId
    })
    rest.forEach(({ id: itemId, position }, index) => {
      if (position === index + 1) return
      playlistItems.update(workspace, playlistItems.get(workspace, itemId), { position: index + 1 })
    })
    recordUpdate(workspace, playlists.get(workspace, id))
  }
  return found.length
}

/** Selects at most `limit` playlists that contain a medium. */
export const playlistsWith = query((orm) =>
  orm
    .select({ id: table.id, name: table.name })
    .from(itemTable)
    .innerJoin(table, and(eq(table.workspace, itemTable.workspace), eq(table.id, itemTable.playlistId)))
    .where(and(ofWorkspace(itemTable), eq(itemTable.mediaId, sql.placeholder('mediaId'))))
    .groupBy(table.id)
    .limit(sql.placeholder('limit')),
)

const layoutsWith = query((orm) =>
  orm
    .select({ id: layouts.id, name: layouts.name })
    .from(layoutZones)
    .innerJoin(
      layouts,
      and(eq(layouts.workspace, layoutZones.workspace), eq(layouts.id, layoutZones.layoutId)),
    )
    .where(and(ofWorkspace(layoutZones), eq(layoutZones.playlistId, sql.placeholder('id'))))
    .groupBy(layouts.id)
    .limit(NAMED_USERS),
)

const schedulesWith = query((orm) =>
  orm
    .select({ id: schedules.id, name: schedules.name })
    .from(scheduleRules)
    .innerJoin(
      schedules,
      and(eq(schedules.workspace, scheduleRules.workspace), eq(schedules.id, scheduleRules.scheduleId)),
    )
    .where(and(ofWorkspace(scheduleRules), eq(scheduleRules.playlistId, sql.placeholder('id'))))
    .groupBy(schedules.id)
    .limit(NAMED_USERS),
)

/** Deletes a playlist that no layout and no schedule uses. Its playbacks stay. */
export function deletePlaylist(workspace: Workspace, { id, name }: Playlist): void {
  mustBeUnused('playlist', {
    layouts: layoutsWith.all(workspace, { id }),
    schedules: schedulesWith.all(workspace, { id }),
  })
  workspace.write(() => {
    playlists.remove(workspace, id)
    saveDeletedName(workspace, { id, name })
    appendSignageEvent(workspace, 'playlist.deleted', { id, name })
  })
}

/** The default duration of a transition in ms (assumed). */
const DEFAULT_TRANSITION = 500

function insertItems(workspace: Workspace, playlistId: string, items: readonly SentItem[]): void {
  const known = new Map(
    media
      .findAll(
        workspace,
        items.map(({ mediaId }) => mediaId),
      )
      .map((each) => [each.id, each]),
  )
  items.forEach(({ mediaId, durationMs = null, transition = 'fade', transitionMs }, index) => {
    const medium = known.get(mediaId)
    const field = `items.${String(index)}`
    if (!medium) {
      refuseProperty(`${field}.mediaId`, 'unknown', `{${field}.mediaId}: there is no medium ${mediaId}`)
    }
    if (medium.type === 'image' && durationMs === null) {
      refuseProperty(`${field}.duration`, 'required', `{${field}.duration} is required for an image`)
    }
    if (durationMs === null && medium.durationMs === null) {
      addHint(
        'unknown_duration',
        `${field} has no duration, and the length of the video ${mediaId} is unknown. total_duration counts 0 seconds for it. Send a duration.`,
      )
    }
    playlistItems.insert(workspace, {
      id: workspace.ids.prefixed('item_'),
      playlistId,
      mediaId,
      position: index + 1,
      durationMs,
      transition,
      transitionMs: transitionMs ?? (transition === 'cut' ? 0 : DEFAULT_TRANSITION),
    })
  })
}
