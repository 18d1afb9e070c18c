/** Forms. Specification part 1, "Forms"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Rendering } from '../../http/shapes/renderings.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { checkFirst } from '../../http/definition/operation.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import type { Filters, NumberedList } from '../../state/storage/queries/listing.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { createForm, forms as formRecords } from '../../state/forms/forms.ts'
import { responses as responseRecords } from '../../state/forms/responseRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ListOf, One } from './dialect.ts'
import { Form, FormDetail, FormId, PageQuery } from './shapes/forms.ts'
import { Response, ResponseDetail, ResponseId } from './shapes/responses.ts'

const formText = Form.rendering()
const responseText = Response.rendering()

/** Returns {data: [...]} as JSON, newest first. */
const listText = <Row, Filter extends string>(
  list: NumberedList<'created_at', Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  { limit = 25, offset = 0 }: Static<typeof PageQuery>,
  filters: Filters<Filter>,
): string => {
  const page = { sort: 'created_at', order: 'desc', limit, offset, filters } as const
  return `{"data":[${rendering.join(workspace, list.read(workspace, page, rendering.select).rows)}]}`
}

export const forms: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Forms', plan: 'apiAccess' })
  const atResponse = routesOf(app, { tag: 'Responses', plan: 'apiAccess' })
  const list = at('/api/v1/forms')

  list.get({
    id: 'listForms',
    summary: 'List forms',
    fidelity: documentedBut(
      'Assumed: the newest forms come first. Returns 422 when limit or offset is out of range.',
    ),
    query: PageQuery,
    answers: { 200: ListOf(Form.item) },
    run: ({ query, workspace }) => listText(formRecords.list, formText, workspace, query, {}),
  })

  list.post({
    id: 'createForm',
    summary: 'Create a form',
    description:
      'Creates a draft without fields. The trigger forms.form.publish adds fields and publishes it.',
    fidelity: documentedBut('Assumed: title is required.'),
    assumedStatus: 'The specification does not show the status; the simulator returns 201.',
    body: Form.create,
    answers: {
      201: Assumed(
        'The specification does not show the response; the simulator returns {data: form}.',
        One(Form.item),
      ),
    },
    run: ({ body, workspace }) => `{"data":${formText.one(workspace, createForm(workspace, body))}}`,
  })

  at('/api/v1/forms/:formId', { params: FormId, record: formRecords }).get({
    id: 'getForm',
    summary: 'Get a form with its schema and mode settings',
    fidelity: documentedBut('Assumed: returns the form in data, like a list.'),
    answers: { 200: One(FormDetail.item) },
    run: ({ record, workspace }) => ({
      data: FormDetail.view(record, workspace),
    }),
  })

  atResponse('/api/v1/forms/:formId/responses', { params: FormId }).get({
    id: 'listResponses',
    summary: 'List the responses to a form',
    fidelity: documentedBut('Assumed: the newest responses come first.'),
    query: PageQuery,
    before: checkFirst<{ formId: string }>(({ workspace }, { formId }) =>
      formRecords.getHead(workspace, formId),
    ),
    answers: { 200: ListOf(Response.item) },
    run: ({ params, query, workspace }) =>
      listText(responseRecords.list, responseText, workspace, query, params),
  })

  atResponse('/api/v1/forms/:formId/responses/:responseId', { params: ResponseId }).get({
    id: 'getResponse',
    summary: 'Get a response with its answers',
    fidelity: documentedBut('Assumed: returns the response in data. A file has a link that expires.'),
    answers: { 200: One(ResponseDetail.item) },
    run({ params, workspace }) {
      const { id } = formRecords.get(workspace, params.formId)
      const response = responseRecords.get(workspace, params.responseId)
      if (response.formId !== id) responseRecords.noSuch(params.responseId)
      return { data: ResponseDetail.view(response, workspace) }
    },
  })
}
