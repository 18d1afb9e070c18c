/** Layouts. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import {
  createLayout,
  deleteLayout,
  layouts as layoutRecords,
  updateLayout,
  type SentZone,
} from '../../state/signage/layouts.ts'
import { Layout, LayoutId, LayoutQuery, type Zone } from './shapes/layouts.ts'

const collection = numberedCollection({
  records: layoutRecords,
  rendering: Layout.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

/** The scope of playlists, as the specification shows it for POST /layouts. */
const WRITE = 'grid:playlists:write'

export const layouts: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Layouts' })
  const list = at('/layouts')
  const item = at('/layouts/:layout_id', { params: LayoutId, record: layoutRecords })

  list.get({
    id: 'listLayouts',
    order: collection.order,
    summary: 'List layouts',
    fidelity: documentedBut(`Assumed: the newest layout comes first.`),
    query: LayoutQuery,
    answers: { 200: PageOf(Layout.item) },
    run: ({ query, caller }) => collection.page(caller, query, {}),
  })

  list.post({
    id: 'createLayout',
    summary: 'Create a layout',
    scope: WRITE,
    fidelity: documentedBut(
      'Assumed: name, resolution and zones are required. Zones must be within the resolution. They can overlap; later zones cover earlier ones. The content of a zone must exist.',
    ),
    body: Layout.create,
    answers: { 201: Layout.item },
    run({ body, workspace }) {
      const layout = createLayout(workspace, { ...body, zones: body.zones.map(zoneFromWire) })
      return collection.text(workspace, layout)
    },
  })

  item.get({
    id: 'getLayout',
    summary: 'Get a layout',
    fidelity: documented,
    answers: { 200: Layout.item },
    run: ({ params, workspace }) => collection.get(workspace, params.layout_id),
  })

  item.patch({
    id: 'updateLayout',
    summary: 'Update a layout',
    description: 'Changes only the fields in the request body. zones replaces all zones of the layout.',
    fidelity: documentedBut(
      `Assumed: existing zones must be within a new resolution. An update that changes nothing keeps the time of the last change and sends no event.`,
    ),
    body: Layout.update,
    answers: { 200: Layout.item },
    run({ record, body, workspace }) {
      const { zones, ...fields } = body
      const layout = updateLayout(workspace, record, {
        ...fields,
        ...(zones && { zones: zones.map(zoneFromWire) }),
      })
      return collection.text(workspace, layout)
    },
  })

  item.delete({
    id: 'deleteLayout',
    summary: 'Delete a layout',
    fidelity: documentedBut(`Assumed: returns 409 when a schedule uses the layout, as for a medium in use.`),
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run: ({ record, workspace }) => {
      deleteLayout(workspace, record)
    },
  })
}

function zoneFromWire(zone: Static<typeof Zone.create>): SentZone {
  const { content_type: contentType = null, content_id: contentId = null, ...more } = zone
  return { ...more, contentType, contentId }
}
