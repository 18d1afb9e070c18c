/** Products and activities. A deleted one stays in the data of the service, and lists do not show it. */
import { NAME, type Scenarios } from '../scenario.ts'

const PRODUCT = { id: '{product}' }
const ACTIVITY = { id: '{activity}' }

export const catalogScenarios: Scenarios = {
  interface: 'catalog',
  scenarios: [
    {
      resource: 'products',
      sideEffect: 'A deleted product stays in the data of the service, and records that refer to it keep it.',
      steps: [
        {
          operation: 'createProduct',
          body: {
            name: NAME,
            type: 'service',
            category: 'Verification',
            sku: 'SIM-{run}',
            description: 'A product of suite-sim verify',
            basePrice: '149.90',
            currency: 'USD',
            taxRate: '7.00',
            unit: 'hour',
            status: 'draft',
          },
          save: { product: 'data.id' },
          creates: {
            id: 'product',
            undo: { operation: 'deleteProduct', path: PRODUCT },
            find: { operation: 'listProducts', query: { search: '{run}' } },
          },
        },
        { operation: 'getProduct', path: PRODUCT },
        { operation: 'listProducts', query: { search: '{run}', status: 'draft' }, rows: '{product}' },
        { operation: 'updateProduct', path: PRODUCT, body: { basePrice: '99.5', sortOrder: 3 } },
        { operation: 'updateProduct', path: PRODUCT, body: { type: 'weightless' }, refused: 400 },
        { operation: 'updateProduct', path: PRODUCT, body: { name: '' }, refused: 400 },
        {
          operation: 'updateProduct',
          path: PRODUCT,
          body: { status: 'active' },
          moves: 'catalog.product activate',
        },
        {
          operation: 'updateProduct',
          path: PRODUCT,
          body: { status: 'archived' },
          moves: 'catalog.product archive',
        },
        {
          operation: 'updateProduct',
          path: PRODUCT,
          body: { status: 'draft' },
          moves: 'catalog.product redraft',
        },
        { operation: 'deleteProduct', path: PRODUCT },
        { operation: 'getProduct', path: PRODUCT, refused: 404 },
        { operation: 'deleteProduct', path: PRODUCT, refused: 404 },
        { operation: 'createProduct', body: { name: NAME, type: 'weightless' }, refused: 400 },
      ],
    },
    {
      resource: 'activities',
      sideEffect: 'A deleted activity stays in the data of the service.',
      steps: [
        {
          operation: 'createActivity',
          body: {
            title: NAME,
            type: 'task',
            description: 'An activity of suite-sim verify',
            priority: 'low',
            dueDate: '2031-01-15T15:00:00Z',
            durationMinutes: 30,
            location: 'Nowhere',
          },
          save: { activity: 'data.id' },
          creates: {
            id: 'activity',
            undo: { operation: 'deleteActivity', path: ACTIVITY },
            find: { operation: 'listActivities', query: { search: '{run}' } },
          },
        },
        { operation: 'getActivity', path: ACTIVITY },
        { operation: 'listActivities', query: { search: '{run}', type: 'task' }, rows: '{activity}' },
        { operation: 'updateActivity', path: ACTIVITY, body: { priority: 'high', notes: 'Changed' } },
        { operation: 'updateActivity', path: ACTIVITY, body: { priority: 'urgent' }, refused: 400 },
        { operation: 'completeActivity', path: ACTIVITY, moves: 'catalog.activity complete' },
        { operation: 'getActivity', path: ACTIVITY },
        { operation: 'deleteActivity', path: ACTIVITY },
        { operation: 'getActivity', path: ACTIVITY, refused: 404 },
        { operation: 'completeActivity', path: ACTIVITY, refused: 404 },
      ],
    },
  ],
  uncovered: {},
}
