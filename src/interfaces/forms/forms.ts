/** Forms. Specification part 1, "Forms"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { FieldRendering } from '../../http/shapes/fields.ts'
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import type { Filters, NumberedList } from '../../state/storage/queries/listing.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { createForm, forms as formRecords } from '../../state/forms/forms.ts'
import { responses as responseRecords } from '../../state/forms/responseRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ListOf, One } from './dialect.ts'
import { Form, FormDetail, FormId, PageQuery } from './shapes/forms.ts'
import { Response, ResponseDetail, ResponseId } from './shapes/responses.ts'

const formText = Form.rendering(formRecords)
const responseText = Response.rendering(responseRecords)

const formOperation = operationsOf({ tag: 'Forms', plan: 'apiAccess' })
const responseOperation = operationsOf({ tag: 'Responses', plan: 'apiAccess' })

/** Returns {data: [...]} as JSON, newest first. */
const listText = <Row, Filter extends string>(
  list: NumberedList<'created_at', Filter>,
  rendering: FieldRendering<Row>,
  workspace: Workspace,
  { limit = 25, offset = 0 }: Static<typeof PageQuery>,
  filters: Filters<Filter>,
): string => {
  const page = { sort: 'created_at', order: 'desc', limit, offset, filters } as const
  return `{"data":[${rendering.join(workspace, list.read(workspace, page, rendering.select).rows)}]}`
}

export const forms: Resource = async (app) => {
  app.get(
    '/api/v1/forms',
    {
      schema: { querystring: PageQuery },
      config: formOperation({
        id: 'listForms',
        summary: 'List forms',
        fidelity: documentedBut(
          'Assumed: the newest forms come first. Returns 422 when limit or offset is out of range.',
        ),
        answers: { 200: ListOf(Form.item) },
      }),
    },
    ({ query, workspace }) => listText(formRecords.list, formText, workspace, query, {}),
  )

  app.post(
    '/api/v1/forms',
    {
      schema: { body: Form.create },
      config: formOperation({
        id: 'createForm',
        summary: 'Create a form',
        description:
          'Creates a draft without fields. The trigger forms.form.publish adds fields and publishes it.',
        fidelity: documentedBut('Assumed: title is required.'),
        assumedStatus: 'The specification does not show the status; the simulator returns 201.',
        answers: {
          201: Assumed(
            'The specification does not show the response; the simulator returns {data: form}.',
            One(Form.item),
          ),
        },
      }),
    },
    ({ body, workspace }, reply) => {
      reply.code(201)
      return `{"data":${formText.one(workspace, createForm(workspace, body))}}`
    },
  )

  app.get(
    '/api/v1/forms/:formId',
    {
      schema: { params: FormId },
      config: formOperation({
        id: 'getForm',
        summary: 'Get a form with its schema and mode settings',
        fidelity: documentedBut('Assumed: returns the form in data, like a list.'),
        answers: { 200: One(FormDetail.item) },
      }),
    },
    ({ params, workspace }) => ({
      data: FormDetail.view(formRecords.get(workspace, params.formId), workspace),
    }),
  )

  app.get(
    '/api/v1/forms/:formId/responses',
    {
      preValidation: checkFirst<{ formId: string }>(({ workspace }, { formId }) =>
        formRecords.getHead(workspace, formId),
      ),
      schema: { params: FormId, querystring: PageQuery },
      config: responseOperation({
        id: 'listResponses',
        summary: 'List the responses to a form',
        fidelity: documentedBut('Assumed: the newest responses come first.'),
        answers: { 200: ListOf(Response.item) },
      }),
    },
    ({ params, query, workspace }) => listText(responseRecords.list, responseText, workspace, query, params),
  )

  app.get(
    '/api/v1/forms/:formId/responses/:responseId',
    {
      schema: { params: ResponseId },
      config: responseOperation({
        id: 'getResponse',
        summary: 'Get a response with its answers',
        fidelity: documentedBut('Assumed: returns the response in data. A file has a link that expires.'),
        answers: { 200: One(ResponseDetail.item) },
      }),
    },
    ({ params, workspace }) => {
      const { id } = formRecords.get(workspace, params.formId)
      const response = responseRecords.get(workspace, params.responseId)
      if (response.formId !== id) responseRecords.noSuch(params.responseId)
      return { data: ResponseDetail.view(response, workspace) }
    },
  )
}
