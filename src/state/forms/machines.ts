/** Specification part 1, "Form and response status": published and completed appear. */
import { assumed } from '../fidelity.ts'
import { machine } from '../machine.ts'

export const formMachine = machine({
  name: 'forms.form',
  title: 'Form',
  states: ['draft', 'published'],
  initial: ['draft'],
  moves: {
    publish: {
      from: ['draft'],
      to: 'published',
      settledIn: ['published'],
      by: 'the trigger forms.form.publish',
      emits: 'form.published',
      fidelity: assumed(
        'published and publishedAt appear; how a form comes to it is not shown: outside of the interface, as often as its fields change.',
      ),
    },
  },
})

export const formMachines = [formMachine]
