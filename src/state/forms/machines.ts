/** The state machine of forms. Specification part 1, "Form and response status", shows published and completed. */
import { assumed } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep, triggerStep } from '../model/ways.ts'

export const formMachine = machine({
  name: 'forms.form',
  title: 'Form',
  states: ['draft', 'published'],
  initial: ['draft'],
  reach: {
    made: { draft: callStep('POST /api/v1/forms', { title: 'Customer survey' }) },
    get: 'GET /api/v1/forms/{form.data.id}',
  },
  moves: {
    publish: {
      from: ['draft'],
      to: 'published',
      settledIn: ['published'],
      by: 'the trigger forms.form.publish',
      way: triggerStep('forms.form.publish', { formId: '{form.data.id}' }),
      emits: 'form.published',
      fidelity: assumed(
        'The specification shows published and publishedAt, but not how a form is published; a trigger publishes it, again each time its fields change.',
      ),
    },
  },
})

export const formMachines = [formMachine]
