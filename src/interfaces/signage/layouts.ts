/** Layouts. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import type { Rendering } from '../../http/renderings.ts'
import { everyCallerIn, cachedResponse } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import type { LayoutInFull } from '../../state/signage/inFull.ts'
import {
  createLayout,
  deleteLayout,
  findLayout,
  layouts as layoutRecords,
  layoutsInFull,
  updateLayout,
  type SentZone,
} from '../../state/signage/layouts.ts'
import { Layout, LayoutCreate, LayoutId, LayoutQuery, LayoutUpdate } from './schemas/layouts.ts'
import { layoutView } from './views.ts'

const layoutText: Rendering<LayoutInFull> = {
  one: (_workspace, layout) => JSON.stringify(layoutView(layout)),
  many: (workspace, heads) =>
    layoutsInFull(
      workspace,
      heads.map(({ id }) => id),
    )
      .map((layout) => layoutText.one(workspace, layout))
      .join(','),
}

const layoutOperation = operationsOf({ tag: 'Layouts' })

/** Those of playlists, as POST /layouts has it. */
const READ = 'grid:playlists:read'
const WRITE = 'grid:playlists:write'
const scope = 'The scope is that of playlists, as the creation has it.'

export const layouts: Resource = async (app) => {
  app.get(
    '/layouts',
    {
      schema: { querystring: LayoutQuery },
      config: layoutOperation({
        id: 'listLayouts',
        summary: 'List layouts',
        scope: READ,
        fidelity: documentedBut(`Assumed: the newest first. ${scope}`),
        answers: { 200: PageOf(Layout) },
      }),
    },
    ({ query, workspace }) =>
      numberedPage(
        'signage layouts',
        layoutRecords.list,
        layoutText,
        everyCallerIn(workspace),
        { page: query.page, perPage: query.per_page, sort: 'created_at', order: 'desc' },
        {},
        pageMeta,
      ),
  )

  app.post(
    '/layouts',
    {
      schema: { body: LayoutCreate },
      config: layoutOperation({
        id: 'createLayout',
        summary: 'Create a layout',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: name, resolution and zones are required; zones lie within the resolution and may overlap, later ones on top; what they show has to be there.',
        ),
        answers: { 201: Layout },
      }),
    },
    ({ body, workspace }, reply) => {
      const { name, resolution, zones } = body
      const layout = createLayout(workspace, { name, resolution, zones: zones.map(zoneFromWire) })
      reply.code(201)
      return layoutText.one(workspace, layout)
    },
  )

  app.get(
    '/layouts/:layout_id',
    {
      schema: { params: LayoutId },
      config: layoutOperation({
        id: 'getLayout',
        summary: 'Get a layout',
        scope: READ,
        fidelity: documentedBut(`Assumed: it is answered bare. ${scope}`),
        answers: { 200: Layout },
      }),
    },
    ({ params, workspace }) =>
      cachedResponse(everyCallerIn(workspace), `layout ${params.layout_id}`, () =>
        layoutText.one(workspace, findLayout(workspace, params.layout_id)),
      ),
  )

  app.patch(
    '/layouts/:layout_id',
    {
      preValidation: mustExist,
      schema: { params: LayoutId, body: LayoutUpdate },
      config: layoutOperation({
        id: 'updateLayout',
        summary: 'Update a layout',
        description: 'Only the fields that are sent change; zones take the place of all there were.',
        scope: WRITE,
        fidelity: documentedBut(
          `Assumed: the body; zones that stay have to lie within a new resolution; an update without a field changes nothing. ${scope}`,
        ),
        answers: { 200: Layout },
      }),
    },
    ({ params, body, workspace }) => {
      const { name, resolution, zones } = body
      const layout = updateLayout(workspace, findLayout(workspace, params.layout_id), {
        ...(name !== undefined && { name }),
        ...(resolution !== undefined && { resolution }),
        ...(zones !== undefined && { zones: zones.map(zoneFromWire) }),
      })
      return layoutText.one(workspace, layout)
    },
  )

  app.delete(
    '/layouts/:layout_id',
    {
      schema: { params: LayoutId },
      config: layoutOperation({
        id: 'deleteLayout',
        summary: 'Delete a layout',
        scope: WRITE,
        fidelity: documentedBut(
          `Assumed: one that a schedule has is a conflict, as a medium in use is. ${scope}`,
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

/** That the layout exists is asked before the body is judged. */
const mustExist = before<{ layout_id: string }>(({ workspace }, params) =>
  layoutRecords.getHead(workspace, params.layout_id),
)

function zoneFromWire(zone: Static<typeof LayoutCreate>['zones'][number]): SentZone {
  const { id, x, y, width, height, content_type: contentType = null, content_id: contentId = null } = zone
  return { id, x, y, width, height, contentType, contentId }
}
