/** Forms with their fields, and responses with their answers. */
import type { Answers, Row } from '../../crawl/answers.ts'
import { columns, detailed, rowsOf, rowsOfEach, type Loaded, type Loader } from './loader.ts'

const FORM = [
  ...['id', 'title', 'description', 'status', 'isPublic', 'defaultMode', 'publishedAt', 'createdAt'],
]
const RESPONSE = [
  ...['id', 'formId', 'status', 'mode', 'respondentEmail', 'answers', 'startedAt', 'completedAt'],
  ...['totalTimeSeconds', 'completionPercentage'],
]

export const forms: Loader = { needs: ['getForm', 'listResponses', 'getResponse'], load }

function load(answers: Answers): Loaded {
  const dataOf = (body: unknown): unknown => (body as Row | undefined)?.['data']
  const listed = rowsOf(answers, 'listForms')
  const found = detailed(answers, 'getForm', listed, dataOf)
  const responses = detailed(answers, 'getResponse', rowsOfEach(answers, 'listResponses', listed), dataOf)
  // Without their records, forms and responses can't be loaded.
  const whole = found.rows.filter(({ row }) => 'schema' in row)
  const ids = new Set(whole.map(({ row }) => row['id']))
  const answered = responses.rows.filter(({ row }) => 'answers' in row && ids.has(row['formId']))
  return {
    snapshot: {
      forms: {
        forms: whole.map(({ row }, index) => {
          const { fields = [], settings = {} } = (row['schema'] ?? {}) as {
            fields?: unknown
            settings?: object
          }
          const modes = (row['modes'] ?? {}) as { conversational?: Row }
          return {
            ...columns(row, FORM),
            slug: `form-${String(index + 1)}`,
            fields,
            settings: { ...settings, showProgress: modes.conversational?.['showProgress'] ?? true },
            updatedAt: row['publishedAt'] ?? row['createdAt'],
          }
        }),
        responses: answered.map(({ row }) => ({
          ...columns(row, RESPONSE),
          createdAt: row['completedAt'],
        })),
      },
    },
    // Slugs in the simulator end in the name of the workspace.
    unknown: ['listForms.data[].slug', 'getForm.data.slug'],
    isComplete: found.isComplete && responses.isComplete,
  }
}
