/** Playlists and their items. Specification part 1, "Playlist (signage)". */
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { addHint } from '../causes.ts'
import { numbered } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuseProperty } from '../refusal.ts'
import { folded, searchedIn } from '../searching.ts'
import { text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { keepName } from './deletedNames.ts'
import { appendSignageEvent } from './events.ts'
import { shownFor, type Item, type PlaylistInFull } from './inFull.ts'
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

export type Playlist = typeof table.$inferSelect

/** An item as it is sent. */
export interface SentItem extends Pick<Item, 'mediaId'> {
  /** In ms; images need it. */
  readonly durationMs?: number | null
  readonly transition?: Item['transition']
  readonly transitionMs?: number
}

export interface PlaylistFields {
  readonly name?: string
  readonly playbackMode?: Playlist['playbackMode']
  /** All of them, in their order. */
  readonly items?: readonly SentItem[]
}

export interface NewPlaylist extends PlaylistFields {
  readonly name: string
  readonly shuffle?: boolean
}

/**
 * Whether an active schedule shows the playlist on the screen, by itself or in a layout. Cross joins are read in their order,
 * from the screen: another one reads the rules of all schedules there are.
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
  snapshot: {
    section: 'signage',
    name: 'playlists',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({ name: text(200) }),
  },
})

/** In ms: a day. */
export const LONGEST_ITEM = 86_400_000

export const playlistItems = record(itemTable, {
  noun: 'item',
  snapshot: {
    section: 'signage',
    name: 'playlistItems',
    shapes: () => ({
      position: whole(1),
      durationMs: whole(0, LONGEST_ITEM),
      transitionMs: whole(0, LONGEST_ITEM),
    }),
  },
})

const itemsOfPlaylists = query((orm) =>
  orm
    .select({
      ...getTableColumns(itemTable),
      mediaName: mediaTable.name,
      mediaType: mediaTable.type,
      mediaDurationMs: mediaTable.durationMs,
    })
    .from(itemTable)
    .innerJoin(
      mediaTable,
      and(eq(mediaTable.workspace, itemTable.workspace), eq(mediaTable.id, itemTable.mediaId)),
    )
    .where(
      and(
        ofWorkspace(itemTable),
        sql`${itemTable.playlistId} in (select value from json_each(${sql.placeholder('ids')}))`,
      ),
    )
    .orderBy(asc(itemTable.playlistId), asc(itemTable.position)),
)

/** The screens of the schedules that have it, by itself or in a layout. */
const screensCount = query((orm) => {
  const workspace = sql.placeholder('workspace')
  const id = sql.placeholder('id')
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
  return orm.select({ count: sql<number>`count(*)` }).from(sql`(${named})`)
})

/** Those that exist, in the order of their ids. */
export function playlistsInFull(workspace: Workspace, ids: readonly string[]): PlaylistInFull[] {
  const found = new Map(playlists.findAll(workspace, ids).map((playlist) => [playlist.id, playlist]))
  const items = itemsOfPlaylists.all(workspace, { ids: JSON.stringify(ids) })
  return ids.flatMap((id) => {
    const playlist = found.get(id)
    const count = playlist && screensCount.firstCells(workspace, { id })?.[0]
    return playlist
      ? [
          {
            ...playlist,
            items: items.filter(({ playlistId }) => playlistId === id),
            screensCount: Number(count),
          },
        ]
      : []
  })
}

/** A playlist with its items, or a refusal. */
export const findPlaylist = (workspace: Workspace, id: string): PlaylistInFull =>
  playlistsInFull(workspace, [id])[0] ?? playlists.noSuch(id)

/** How long it takes to play it once, in ms. */
export const totalDuration = ({ items }: PlaylistInFull): number =>
  items.reduce((sum, item) => sum + (shownFor(item) ?? 0), 0)

export function createPlaylist(workspace: Workspace, { items = [], ...fields }: NewPlaylist): PlaylistInFull {
  return workspace.write(() => {
    const now = workspace.now()
    const { id } = playlists.insert(workspace, {
      playbackMode: 'loop',
      shuffle: false,
      ...fields,
      id: workspace.ids.prefixed('plist_'),
      createdAt: now,
      updatedAt: now,
    })
    insertItems(workspace, id, items)
    const playlist = findPlaylist(workspace, id)
    appendSignageEvent(workspace, 'playlist.created', playlist)
    return playlist
  })
}

/** Changes the fields that were sent; nothing at all when none was. Items take the place of all that there were. */
export function updatePlaylist(
  workspace: Workspace,
  playlist: PlaylistInFull,
  { items, ...fields }: PlaylistFields,
): PlaylistInFull {
  if (items === undefined && Object.keys(fields).length === 0) return playlist
  return workspace.write(() => {
    if (items) {
      for (const { id } of playlist.items) playlistItems.remove(workspace, id)
      insertItems(workspace, playlist.id, items)
    }
    return hasChanged(workspace, playlist.id, fields)
  })
}

/** Writes what has changed of the playlist itself, and tells of it. Only inside a `write`. */
function hasChanged(workspace: Workspace, id: string, fields: PlaylistFields = {}): PlaylistInFull {
  playlists.update(workspace, playlists.get(workspace, id), { ...fields, updatedAt: workspace.now() })
  const updated = findPlaylist(workspace, id)
  appendSignageEvent(workspace, 'playlist.updated', updated)
  return updated
}

/**
 * Takes a medium out of at most so many playlists, in which those that follow it move up; answers with how many there were.
 * Only inside a `write`.
 */
export function takeOutOfPlaylists(workspace: Workspace, mediaId: string, most: number): number {
  const found = playlistsWith.all(workspace, { mediaId, limit: most })
  for (const { id } of found) {
    const rest = findPlaylist(workspace, id).items.filter((item) => {
      if (item.mediaId === mediaId) playlistItems.remove(workspace, item.id)
      return item.mediaId !== mediaId
    })
    rest.forEach(({ id: itemId, position }, index) => {
      if (position === index + 1) return
      playlistItems.update(workspace, playlistItems.get(workspace, itemId), { position: index + 1 })
    })
    hasChanged(workspace, id)
  }
  return found.length
}

/** The playlists that show a medium, at most so many. */
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

/** Only one that no layout and no schedule has can be deleted. What was recorded of it stays. */
export function deletePlaylist(workspace: Workspace, { id, name }: Playlist): void {
  mustBeUnused('playlist', {
    layouts: layoutsWith.all(workspace, { id }),
    schedules: schedulesWith.all(workspace, { id }),
  })
  workspace.write(() => {
    playlists.remove(workspace, id)
    keepName(workspace, { id, name })
    appendSignageEvent(workspace, 'playlist.deleted', { id, name })
  })
}

/** Ms that a transition takes unless it is said (assumed). */
const USUAL_TRANSITION = 500

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
        `${field} has no duration, and the length of the video ${mediaId} is not known: total_duration counts 0 seconds for it. Send a duration.`,
      )
    }
    playlistItems.insert(workspace, {
      id: workspace.ids.prefixed('item_'),
      playlistId,
      mediaId,
      position: index + 1,
      durationMs,
      transition,
      transitionMs: transitionMs ?? (transition === 'cut' ? 0 : USUAL_TRANSITION),
    })
  })
}
