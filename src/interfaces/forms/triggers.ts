/** The trigger that publishes forms with their fields. */
import { Type, type Static } from '@sinclair/typebox'
import { trigger } from '../../http/definition/trigger.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { NO_VALIDATIONS } from '../../state/forms/fields.ts'
import { forms, publishForm, type Field } from '../../state/forms/forms.ts'
import { isPattern } from '@suite-sim/kit/text/patterns'
import { DEMO_FORM, FormDetail, Id, SentFields, type SentField } from './shapes/forms.ts'

/** Returns a field with defaults for missing properties. Without an id, its position names it. */
function fieldOf(sent: Static<typeof SentField>, index: number): Field {
  const { id = `field_${String(index + 1)}`, type, label, required = false } = sent
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
    summary: 'Publish a form, and replace its fields with these.',
    body: Type.Object({ formId: Id(DEMO_FORM), fields: Type.Optional(SentFields) }),
    records: { formId: 'forms.forms' },
    result: FormDetail.item,
    fidelity: assumed('The specification does not show how forms get their fields.'),
    run(workspace, { formId, fields }) {
      const form = forms.get(workspace, formId)
      const changes = fields ? { fields: fields.map(fieldOf) } : {}
      return FormDetail.view(publishForm(workspace, form, changes, isPattern), workspace)
    },
  }),
]
