/** Layouts and their zones. Specification part 1, "Other signage records". */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { numbered } from '../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendSignageEvent } from './events.ts'
import { media } from './mediaRecords.ts'
import { playlists } from './playlists.ts'
import {
  layouts as table,
  layoutZones as zoneTable,
  scheduleRules,
  schedules,
  type Measure,
} from './tables.ts'
import { mustBeUnused, NAMED_USERS } from './usage.ts'
import { isChange, mustDiffer, unlessSame } from '../storage/unchanged.ts'

export type Layout = typeof table.$inferSelect
type Zone = typeof zoneTable.$inferSelect

type Box = Pick<Zone, 'x' | 'y' | 'width' | 'height'>

/** A zone in a request body. */
export interface SentZone extends Box, Pick<Zone, 'contentType'> {
  /** The name within the layout. Default: "zone_1" or the next free number. */
  readonly id?: string | undefined
  readonly contentId: string | null
}

export type LayoutFields = Partial<Omit<Layout, keyof typeof recordKey | keyof typeof withTimes>> & {
  /** The complete list, in order. */
  readonly zones?: readonly SentZone[]
}

export type NewLayout = LayoutFields & Required<Pick<LayoutFields, 'name' | 'resolution' | 'zones'>>

export const layouts = record(table, {
  noun: 'layout',
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: { section: 'signage', name: 'layouts' },
})

export const layoutZones = record(zoneTable, {
  noun: 'zone',
  snapshot: { section: 'signage', name: 'layoutZones' },
})

/** The zones of layouts by position: later zones cover earlier ones. */
export const zonesOf = queryOfEach<Zone>('layoutId', (orm) =>
  orm
    .select()
    .from(zoneTable)
    .where(and(ofWorkspace(zoneTable), isAmong(zoneTable.layoutId)))
    .orderBy(asc(zoneTable.position)),
)

export function createLayout(workspace: Workspace, { zones, ...fields }: NewLayout): Layout {
  return workspace.write(() => {
    const now = workspace.now()
    const layout = layouts.insert(workspace, {
      ...fields,
      id: workspace.ids.prefixed('lay_'),
      createdAt: now,
      updatedAt: now,
    })
    insertZones(workspace, layout, zones)
    appendSignageEvent(workspace, 'layout.created', layout)
    return layout
  })
}

/** Changes the given fields; `zones` replaces all zones. Without a change, does nothing. */
export function updateLayout(
  workspace: Workspace,
  layout: Layout,
  { zones, ...fields }: LayoutFields,
): Layout {
  const isSame = !isChange(layout, fields)
  if (zones === undefined && isSame) return layout
  return unlessSame(layout, () =>
    workspace.write(() => {
      const before = zonesOf.of(workspace, layout.id)
      const updated = layouts.update(workspace, layout, { ...fields, updatedAt: workspace.now() })
      if (zones) {
        for (const { id } of before) layoutZones.remove(workspace, id)
        insertZones(workspace, updated, zones)
        if (isSame) mustDiffer(before, zonesOf.of(workspace, layout.id))
      } else {
        before.forEach((zone, index) => {
          mustFit(updated, zone, `zones.${String(index)}`)
        })
      }
      appendSignageEvent(workspace, 'layout.updated', updated)
      return updated
    }),
  )
}

/**
 * Removes a medium from at most `limit` layouts and returns their number. The zones stay, empty. Call only inside a
 * `write`.
 */
export function removeFromLayouts(workspace: Workspace, mediaId: string, limit: number): number {
  const found = layoutsWith.all(workspace, { mediaId, limit })
  for (const { id } of found) {
    for (const zone of zonesOf.of(workspace, id)) {
      if (zone.mediaId === mediaId) layoutZones.update(workspace, zone, { contentType: null, mediaId: null })
    }
    const layout = layouts.get(workspace, id)
    const updated = layouts.update(workspace, layout, { updatedAt: workspace.now() })
    appendSignageEvent(workspace, 'layout.updated', updated)
  }
  return found.length
}

/** Selects at most `limit` layouts that show a medium directly in a zone. */
export const layoutsWith = query((orm) =>
  orm
    .select({ id: table.id, name: table.name })
    .from(zoneTable)
    .innerJoin(table, and(eq(table.workspace, zoneTable.workspace), eq(table.id, zoneTable.layoutId)))
    .where(and(ofWorkspace(zoneTable), eq(zoneTable.mediaId, sql.placeholder('mediaId'))))
    .groupBy(table.id)
    .limit(sql.placeholder('limit')),
)

const schedulesWith = query((orm) =>
  orm
    .select({ id: schedules.id, name: schedules.name })
    .from(scheduleRules)
    .innerJoin(
      schedules,
      and(eq(schedules.workspace, scheduleRules.workspace), eq(schedules.id, scheduleRules.scheduleId)),
    )
    .where(and(ofWorkspace(scheduleRules), eq(scheduleRules.layoutId, sql.placeholder('id'))))
    .groupBy(schedules.id)
    .limit(NAMED_USERS),
)

/** Deletes a layout that no schedule uses. */
export function deleteLayout(workspace: Workspace, { id, name }: Layout): void {
  mustBeUnused('layout', { schedules: schedulesWith.all(workspace, { id }) })
  workspace.write(() => {
    layouts.remove(workspace, id)
    appendSignageEvent(workspace, 'layout.deleted', { id, name })
  })
}

/** Returns "zone_<number>", or the next number that no zone has. */
function freeName(number: number, isTaken: (name: string) => boolean): string {
  const name = `zone_${String(number)}`
  return isTaken(name) ? freeName(number + 1, isTaken) : name
}

function insertZones(workspace: Workspace, layout: Layout, zones: readonly SentZone[]): void {
  const sent = new Set(zones.map(({ id }) => id))
  const names = new Set<string>()
  zones.forEach(({ id, contentType, contentId, ...box }, index) => {
    const field = `zones.${String(index)}`
    const name = id ?? freeName(index + 1, (each) => sent.has(each) || names.has(each))
    if (names.has(name)) refuseProperty(`${field}.id`, 'duplicate', `{${field}.id} is the id of another zone`)
    names.add(name)
    mustFit(layout, box, field)
    mustBeContent(workspace, { contentType, contentId }, field)
    layoutZones.insert(workspace, {
      ...box,
      id: workspace.ids.prefixed('zone_'),
      layoutId: layout.id,
      name,
      position: index + 1,
      contentType,
      playlistId: contentType === 'playlist' ? contentId : null,
      mediaId: contentType === 'media' ? contentId : null,
    })
  })
}

function mustBeContent(
  workspace: Workspace,
  { contentType, contentId }: Pick<SentZone, 'contentType' | 'contentId'>,
  field: string,
): void {
  if (contentType === null || contentId === null) {
    if (contentType === contentId) return
    const missing = contentType === null ? 'contentType' : 'contentId'
    refuseProperty(
      `${field}.${missing}`,
      'required',
      `{${field}.contentType} and {${field}.contentId} must be sent together`,
    )
  }
  const of = { playlist: playlists, media }[contentType]
  if (of.find(workspace, contentId)) return
  const noun = contentType === 'media' ? 'medium' : contentType
  refuseProperty(`${field}.contentId`, 'unknown', `{${field}.contentId}: there is no ${noun} ${contentId}`)
}

/** The rounding error in pixels by which percentages may exceed the layout. */
const TOLERANCE = 1e-6

/** Refuses a zone that exceeds the resolution. */
function mustFit({ resolution }: Pick<Layout, 'resolution'>, box: Box, field: string): void {
  const [across = 0, down = 0] = resolution.split('x').map(Number)
  for (const [position, length, total] of [
    ['x', 'width', across],
    ['y', 'height', down],
  ] as const) {
    const from = inPixels(box[position], total)
    const size = inPixels(box[length], total)
    if (from + size > total + TOLERANCE) {
      refuseProperty(
        `${field}.${length}`,
        'out_of_bounds',
        `{${field}.${position}} plus {${field}.${length}} must be within the resolution ${resolution}`,
      )
    }
  }
}

/** Converts a position or a length to pixels of `total`. */
const inPixels = (measure: Measure, total: number): number =>
  typeof measure === 'number' ? measure : (Number(measure.slice(0, -1)) / 100) * total
