/** Contacts, pipelines, deals, activities, automations and subscriptions. */
import { NAME, NO_RECEIVER, type Scenarios } from '../scenario.ts'

const CONTACT = { contact_id: '{contact}' }
const PIPELINE = { pipeline_id: '{pipeline}' }
const DEAL = { deal_id: '{deal}' }
const ACTIVITY = { activity_id: '{activity}' }
const AUTOMATION = { automation_id: '{automation}' }
const WEBHOOK = { webhook_id: '{webhook}' }

/** Automations of the account can create activities. */
const AUTOMATED = ['.activities_count']

export const crmScenarios: Scenarios = {
  interface: 'crm',
  scenarios: [
    {
      resource: 'contacts',
      sideEffect:
        'A new, changed or deleted contact starts the automations of the account, and nothing undoes what these do.',
      steps: [
        {
          operation: 'createContact',
          body: {
            name: NAME,
            email: 'suite-sim-{run}@example.com',
            phone: '+507 6000 0000',
            company: 'Suite Simulator',
            position: 'Buyer',
            vertical: 'services',
            tags: ['suite-sim-{run}'],
          },
          save: { contact: 'id' },
          creates: {
            id: 'contact',
            undo: { operation: 'deleteContact', path: CONTACT },
            find: { operation: 'listContacts', query: { search: '{run}' } },
          },
        },
        { operation: 'getContact', path: CONTACT },
        { operation: 'listContacts', query: { search: '{run}' }, rows: '{contact}' },
        { operation: 'listContacts', query: { tag: 'suite-sim-{run}' }, rows: '{contact}' },
        {
          operation: 'createContact',
          body: { name: NAME, email: 'suite-sim-{run}@example.com' },
          refused: 409,
        },
        { operation: 'updateContact', path: CONTACT, body: { company: null, tags: [] } },
        { operation: 'updateContact', path: CONTACT, body: { email: 'no address' }, refused: 422 },
        { operation: 'updateContact', path: CONTACT, body: { name: '' }, refused: 422 },
        { operation: 'deleteContact', path: CONTACT },
        { operation: 'getContact', path: CONTACT, refused: 404 },
        { operation: 'deleteContact', path: CONTACT, refused: 404 },
        { operation: 'createContact', body: { email: 'suite-sim-{run}@example.com' }, refused: 422 },
      ],
    },
    {
      resource: 'pipelines',
      steps: [
        {
          operation: 'createPipeline',
          body: {
            name: NAME,
            vertical: 'services',
            stages: [
              { name: 'Offer', probability: 20 },
              { name: 'Contract', probability: 80 },
            ],
          },
          save: { pipeline: 'id' },
          creates: {
            id: 'pipeline',
            undo: { operation: 'deletePipeline', path: PIPELINE },
            find: { operation: 'listPipelines' },
          },
        },
        { operation: 'getPipeline', path: PIPELINE },
        { operation: 'listPipelines', query: { per_page: '100' }, rows: '{pipeline}' },
        { operation: 'updatePipeline', path: PIPELINE, body: { name: `${NAME} changed` } },
        {
          operation: 'updatePipeline',
          path: PIPELINE,
          body: { stages: [{ name: 'Offer', probability: 101 }] },
          refused: 422,
        },
        { operation: 'createPipeline', body: { name: NAME }, refused: 422 },
        { operation: 'deletePipeline', path: PIPELINE },
        { operation: 'getPipeline', path: PIPELINE, refused: 404 },
      ],
    },
    {
      resource: 'deals',
      needsAllow: 'No call deletes a deal, and its pipeline cannot be deleted while the deal is in it.',
      sideEffect: 'A new or changed deal starts the automations of the account.',
      steps: [
        {
          operation: 'createPipeline',
          body: {
            name: NAME,
            stages: [
              { name: 'Offer', probability: 20 },
              { name: 'Contract', probability: 80 },
            ],
          },
          save: { pipeline: 'id', first: 'stages.0.id', second: 'stages.1.id' },
          creates: {
            id: 'pipeline',
            undo: { operation: 'deletePipeline', path: PIPELINE },
            find: { operation: 'listPipelines' },
          },
        },
        {
          operation: 'createDeal',
          body: {
            name: NAME,
            pipeline_id: '{pipeline}',
            stage_id: '{first}',
            value: 1200.5,
            currency: 'USD',
            expected_close_date: '2031-01-15',
          },
          save: { deal: 'id' },
          creates: { id: 'deal', undo: null, find: { operation: 'listDeals' } },
        },
        { operation: 'getDeal', path: DEAL },
        { operation: 'listDeals', query: { pipeline_id: '{pipeline}' }, rows: '{deal}' },
        { operation: 'updateDeal', path: DEAL, body: { value: 900, expected_close_date: null } },
        { operation: 'updateDeal', path: DEAL, body: { value: -1 }, refused: 422 },
        {
          operation: 'moveDeal',
          path: DEAL,
          body: { stage_id: '{second}', reason: 'They agree' },
          moves: 'crm.deal move',
        },
        { operation: 'moveDeal', path: DEAL, body: { stage_id: 'stage_of_no_pipeline' }, refused: 422 },
        {
          operation: 'winDeal',
          path: DEAL,
          body: { final_value: 950, reason: 'Delivery date' },
          moves: 'crm.deal win',
          ignored: AUTOMATED,
        },
        { operation: 'winDeal', path: DEAL, body: {}, refused: 409 },
        {
          operation: 'updateDeal',
          path: DEAL,
          body: { status: 'open' },
          moves: 'crm.deal reopen',
          ignored: AUTOMATED,
        },
        {
          operation: 'loseDeal',
          path: DEAL,
          body: { reason: 'Price' },
          moves: 'crm.deal lose',
          ignored: AUTOMATED,
        },
        { operation: 'getDeal', path: DEAL, ignored: AUTOMATED },
        { operation: 'deletePipeline', path: PIPELINE, refused: 409 },
      ],
    },
    {
      resource: 'activities',
      needsAllow: 'No call deletes an activity.',
      steps: [
        {
          operation: 'createActivity',
          body: { type: 'note', subject: NAME, description: 'An activity of suite-sim verify' },
          save: { activity: 'id' },
          creates: { id: 'activity', undo: null, find: { operation: 'listActivities' } },
        },
        { operation: 'getActivity', path: ACTIVITY },
        { operation: 'listActivities', query: { per_page: '100', type: 'note' }, rows: '{activity}' },
        { operation: 'updateActivity', path: ACTIVITY, body: { duration_minutes: 15 } },
        { operation: 'updateActivity', path: ACTIVITY, body: { type: 'smoke' }, refused: 422 },
        {
          operation: 'updateActivity',
          path: ACTIVITY,
          body: { completed: true },
          moves: 'crm.activity complete',
        },
        {
          operation: 'updateActivity',
          path: ACTIVITY,
          body: { completed: false },
          moves: 'crm.activity reopen',
        },
      ],
    },
    {
      resource: 'automations',
      steps: [
        {
          operation: 'createAutomation',
          // It is inactive, so that it never runs.
          body: {
            name: NAME,
            type: 'workflow',
            active: false,
            trigger: {
              event: 'deal.created',
              conditions: [{ field: 'deal.name', operator: 'equals', value: NAME }],
            },
            actions: [{ type: 'create_task', config: { title: NAME } }],
          },
          save: { automation: 'id' },
          creates: {
            id: 'automation',
            undo: { operation: 'deleteAutomation', path: AUTOMATION },
            find: { operation: 'listAutomations' },
          },
        },
        { operation: 'getAutomation', path: AUTOMATION },
        { operation: 'listAutomations', query: { active: 'false', per_page: '100' }, rows: '{automation}' },
        { operation: 'listAutomationExecutions', path: AUTOMATION },
        { operation: 'updateAutomation', path: AUTOMATION, body: { name: `${NAME} changed` } },
        { operation: 'updateAutomation', path: AUTOMATION, body: { type: 'dance' }, refused: 422 },
        { operation: 'deleteAutomation', path: AUTOMATION },
        { operation: 'getAutomation', path: AUTOMATION, refused: 404 },
      ],
    },
    {
      resource: 'webhooks',
      steps: [
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['deal.lost'], active: false },
          save: { webhook: 'id' },
          creates: {
            id: 'webhook',
            undo: { operation: 'deleteWebhook', path: WEBHOOK },
            find: { operation: 'listWebhooks' },
          },
        },
        { operation: 'listWebhooks', query: { per_page: '100' }, rows: '{webhook}' },
        {
          operation: 'createWebhook',
          body: { url: `${NO_RECEIVER}/{run}`, events: ['deal.forgotten'] },
          refused: 422,
        },
        { operation: 'deleteWebhook', path: WEBHOOK },
        { operation: 'deleteWebhook', path: WEBHOOK, refused: 404 },
      ],
    },
  ],
  uncovered: { importContacts: 'an import creates contacts whose ids its answer does not show' },
}
