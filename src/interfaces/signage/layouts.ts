/** Layouts. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
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
  rendering: Layout.rendering(layoutRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const layoutOperation = operationsOf({ tag: 'Layouts' })

/** The scope of playlists, as the specification shows it for POST /layouts. */
const WRITE = 'grid:playlists:write'

export const layouts: Resource = async (app) => {
  app.get(
    '/layouts',
    {
      schema: { querystring: LayoutQuery },
      config: layoutOperation({
        id: 'listLayouts',
        order: collection.order,
        summary: 'List layouts',
        fidelity: documentedBut(`Assumed: the newest layout comes first.`),
        answers: { 200: PageOf(Layout.item) },
      }),
    },
    ({ query, caller }) => collection.page(caller, query, {}),
  )

  app.post(
    '/layouts',
    {
      schema: { body: Layout.create },
      config: layoutOperation({
        id: 'createLayout',
        summary: 'Create a layout',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: name, resolution and zones are required. Zones must be within the resolution. They can overlap; later zones cover earlier ones. The content of a zone must exist.',
        ),
        answers: { 201: Layout.item },
      }),
    },
    ({ body, workspace }, reply) => {
      const layout = createLayout(workspace, { ...body, zones: body.zones.map(zoneFromWire) })
      reply.code(201)
      return collection.text(workspace, layout)
    },
  )

  app.get(
    '/layouts/:layout_id',
    {
      schema: { params: LayoutId },
      config: layoutOperation({
        id: 'getLayout',
        summary: 'Get a layout',
        fidelity: documented,
        answers: { 200: Layout.item },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.layout_id),
  )

  app.patch(
    '/layouts/:layout_id',
    {
      preValidation: mustExist,
      schema: { params: LayoutId, body: Layout.update },
      config: layoutOperation({
        id: 'updateLayout',
        summary: 'Update a layout',
        description: 'Changes only the fields in the request body. zones replaces all zones of the layout.',
        fidelity: documentedBut(
          `Assumed: existing zones must be within a new resolution. An update that changes nothing keeps the time of the last change and sends no event.`,
        ),
        answers: { 200: Layout.item },
      }),
    },
    ({ params, body, workspace }) => {
      const { zones, ...fields } = body
      const layout = updateLayout(workspace, layoutRecords.get(workspace, params.layout_id), {
        ...fields,
        ...(zones && { zones: zones.map(zoneFromWire) }),
      })
      return collection.text(workspace, layout)
    },
  )

  app.delete(
    '/layouts/:layout_id',
    {
      schema: { params: LayoutId },
      config: layoutOperation({
        id: 'deleteLayout',
        summary: 'Delete a layout',
        fidelity: documentedBut(
          `Assumed: returns 409 when a schedule uses the layout, as for a medium in use.`,
        ),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deleteLayout(workspace, layoutRecords.get(workspace, params.layout_id))
      noContent(reply)
    },
  )
}

/** Refuses an unknown layout before the body is validated. */
const mustExist = checkFirst<{ layout_id: string }>(({ workspace }, params) =>
  layoutRecords.getHead(workspace, params.layout_id),
)

function zoneFromWire(zone: Static<typeof Zone.create>): SentZone {
  const { content_type: contentType = null, content_id: contentId = null, ...more } = zone
  return { ...more, contentType, contentId }
}
