/** Forms. */
import { NAME, type Scenarios } from '../scenario.ts'

const FORM = { formId: '{form}' }

export const formsScenarios: Scenarios = {
  interface: 'forms',
  scenarios: [
    {
      resource: 'forms',
      needsAllow: 'No call deletes a form.',
      steps: [
        {
          operation: 'createForm',
          body: { title: NAME, description: 'A form of suite-sim verify' },
          save: { form: 'data.id' },
          creates: { id: 'form', undo: null, find: { operation: 'listForms' } },
        },
        { operation: 'getForm', path: FORM },
        { operation: 'listForms', query: { limit: '100' }, rows: '{form}' },
        { operation: 'listResponses', path: FORM },
        { operation: 'createForm', body: { title: '', description: NAME }, refused: 422 },
        { operation: 'submitForm', path: FORM, body: { answers: {} }, refused: 404 },
      ],
    },
  ],
  uncovered: {},
}
