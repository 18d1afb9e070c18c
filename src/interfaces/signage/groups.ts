/** Groups of screens. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import {
  createGroup,
  deleteGroup,
  groups as groupRecords,
  updateGroup,
  type GroupFields,
} from '../../state/signage/groups.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { Group, GroupId, GroupQuery } from './shapes/groups.ts'

const collection = numberedCollection({
  records: groupRecords,
  rendering: Group.rendering(groupRecords),
  sort: 'created_at',
  order: 'asc',
  meta: pageMeta,
})

const groupOperation = operationsOf({ tag: 'Groups' })

export const groups: Resource = async (app) => {
  app.get(
    '/groups',
    {
      schema: { querystring: GroupQuery },
      config: groupOperation({
        id: 'listGroups',
        order: collection.order,
        summary: 'List groups',
        fidelity: documentedBut(`Assumed: the oldest group comes first.`),
        answers: { 200: PageOf(Group.item) },
      }),
    },
    ({ query, caller }) => collection.page(caller, query, {}),
  )

  app.post(
    '/groups',
    {
      schema: { body: Group.create },
      config: groupOperation({
        id: 'createGroup',
        summary: 'Create a group',
        fidelity: documentedBut(`Assumed: name is required. Screens in another group move to this one.`),
        answers: { 201: Group.item },
      }),
    },
    ({ body, workspace }, reply) => {
      const group = createGroup(workspace, { ...fieldsOf(workspace, body), name: body.name })
      reply.code(201)
      return collection.text(workspace, group)
    },
  )

  app.get(
    '/groups/:group_id',
    {
      schema: { params: GroupId },
      config: groupOperation({
        id: 'getGroup',
        summary: 'Get a group',
        fidelity: documented,
        answers: { 200: Group.item },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.group_id),
  )

  app.patch(
    '/groups/:group_id',
    {
      preValidation: mustExist,
      schema: { params: GroupId, body: Group.update },
      config: groupOperation({
        id: 'updateGroup',
        summary: 'Update a group',
        description:
          'Changes only the fields in the request body. screen_ids replaces all screens of the group.',
        fidelity: documentedBut(
          `Assumed: an update that changes nothing keeps the time of the last change and sends no event.`,
        ),
        answers: { 200: Group.item },
      }),
    },
    ({ params, body, workspace }) => {
      const group = groupRecords.get(workspace, params.group_id)
      return collection.text(workspace, updateGroup(workspace, group, fieldsOf(workspace, body)))
    },
  )

  app.delete(
    '/groups/:group_id',
    {
      schema: { params: GroupId },
      config: groupOperation({
        id: 'deleteGroup',
        summary: 'Delete a group',
        fidelity: documentedBut(
          `Assumed: the screens stay, without a group. Returns 409 when a schedule names the group, as for a playlist in use.`,
        ),
        refuses: ['conflict'],
        answers: NO_CONTENT,
      }),
    },
    ({ params, workspace }, reply) => {
      deleteGroup(workspace, groupRecords.get(workspace, params.group_id))
      noContent(reply)
    },
  )
}

/** Refuses an unknown group before the body is validated. */
const mustExist = checkFirst<{ group_id: string }>(({ workspace }, params) =>
  groupRecords.getHead(workspace, params.group_id),
)

/** Converts the body of a creation or an update. */
const fieldsOf = (workspace: Workspace, body: Static<typeof Group.update>): GroupFields => ({
  ...Group.parse(workspace, body),
  ...(body.screen_ids && { screenIds: body.screen_ids }),
})
