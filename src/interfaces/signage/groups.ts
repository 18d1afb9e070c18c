/** Groups of screens. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
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
  rendering: Group.rendering(),
  sort: 'created_at',
  order: 'asc',
  meta: pageMeta,
})

export const groups: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Groups' })
  const list = at('/groups')
  const item = at('/groups/:group_id', { params: GroupId, record: groupRecords })

  list.get({
    id: 'listGroups',
    order: collection.order,
    summary: 'List groups',
    fidelity: documentedBut(`Assumed: the oldest group comes first.`),
    query: GroupQuery,
    answers: { 200: PageOf(Group.item) },
    run: ({ query, caller }) => collection.page(caller, query, {}),
  })

  list.post({
    id: 'createGroup',
    summary: 'Create a group',
    fidelity: documentedBut(`Assumed: name is required. Screens in another group move to this one.`),
    body: Group.create,
    answers: { 201: Group.item },
    run({ body, workspace }) {
      const group = createGroup(workspace, { ...fieldsOf(workspace, body), name: body.name })
      return collection.text(workspace, group)
    },
  })

  item.get({
    id: 'getGroup',
    summary: 'Get a group',
    fidelity: documented,
    answers: { 200: Group.item },
    run: ({ params, workspace }) => collection.get(workspace, params.group_id),
  })

  item.patch({
    id: 'updateGroup',
    summary: 'Update a group',
    description: 'Changes only the fields in the request body. screen_ids replaces all screens of the group.',
    fidelity: documentedBut(
      `Assumed: an update that changes nothing keeps the time of the last change and sends no event.`,
    ),
    body: Group.update,
    answers: { 200: Group.item },
    run: ({ record: group, body, workspace }) =>
      collection.text(workspace, updateGroup(workspace, group, fieldsOf(workspace, body))),
  })

  item.delete({
    id: 'deleteGroup',
    summary: 'Delete a group',
    fidelity: documentedBut(
      `Assumed: the screens stay, without a group. Returns 409 when a schedule names the group, as for a playlist in use.`,
    ),
    refuses: ['conflict'],
    answers: NO_CONTENT,
    run: ({ record, workspace }) => {
      deleteGroup(workspace, record)
    },
  })
}

/** Converts the body of a creation or an update. */
const fieldsOf = (workspace: Workspace, body: Static<typeof Group.update>): GroupFields => ({
  ...Group.parse(workspace, body),
  ...(body.screen_ids && { screenIds: body.screen_ids }),
})
