/** What happens to forms outside of their interface: somebody gives them fields and publishes them. */
import { Type, type Static } from '@sinclair/typebox'
import { trigger } from '../../http/trigger.ts'
import { assumed } from '../../state/fidelity.ts'
import { NO_VALIDATIONS } from '../../state/forms/fields.ts'
import { forms, publishForm, type Field } from '../../state/forms/forms.ts'
import { isPattern } from '../../state/forms/patterns.ts'
import { DEMO_FORM, FormDetail, Id, SentFields, type SentField } from './schemas/forms.ts'
import { formDetailView } from './views.ts'

/** A field with all that was left out; one without an id gets that of its place. */
function fieldOf(sent: Static<typeof SentField>, place: number): Field {
  const { id = `field_${String(place + 1)}`, type, label, required = false } = sent
  const { description = null, placeholder = null, options = [], validations, visibleIf } = sent
  return {
    id,
    type,
    label,
    description,
    placeholder,
    required,
    options,
    validations: { ...NO_VALIDATIONS, ...validations },
    visibleIf: visibleIf ? { value: null, ...visibleIf } : null,
  }
}

export const formTriggers = [
  trigger({
    name: 'forms.form.publish',
    summary: 'A form is published, with these fields in the place of those it has.',
    body: Type.Object({ formId: Id(DEMO_FORM), fields: Type.Optional(SentFields) }),
    result: FormDetail,
    fidelity: assumed('The interface makes forms without fields; how they get these is not shown.'),
    run(workspace, { formId, fields }) {
      const form = forms.get(workspace, formId)
      const changes = fields ? { fields: fields.map(fieldOf) } : {}
      return formDetailView(publishForm(workspace, form, changes, isPattern), workspace)
    },
  }),
]
