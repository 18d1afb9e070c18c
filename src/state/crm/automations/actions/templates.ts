/**
 * The templates of `send_email` actions. The specification names `template_id` and shows no call that creates a
 * template; a trigger or a snapshot does. If a template is not defined, the message lists the values for it, so
 * that automations can be tried first. All of it is assumed.
 */
import type { recordKey } from '../../../storage/columns.ts'
import { record } from '../../../storage/records/record.ts'
import { escapeHtml } from '@suite-sim/kit/text/escaping'
import { isHtml, htmlToPlainText } from '../../../text/htmlText.ts'
import type { EventData, Workspace } from '../../../workspace/workspace.ts'
import { truncate } from '../../../text/truncate.ts'
import { fillPlaceholders, listValues } from './placeholders.ts'
import { LONGEST_TEXT, templates as table } from '../../tables.ts'

export type Template = typeof table.$inferSelect

export const templates = record(table, {
  noun: 'template',
  snapshot: { section: 'crm', name: 'templates' },
})

/** An existing template with the id is replaced. */
export type NewTemplate = Omit<Template, keyof typeof recordKey | 'createdAt'> & Partial<Pick<Template, 'id'>>

/** Creates a template, or replaces the one with this id. */
export const defineTemplate = (workspace: Workspace, { id, ...fields }: NewTemplate): Template =>
  workspace.write(() => {
    const existing = id === undefined ? undefined : templates.find(workspace, id)
    if (existing) return templates.update(workspace, existing, fields)
    return templates.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('tpl_'),
      createdAt: workspace.now(),
    })
  })

/** The longest line that mail clients accept. */
const LONGEST_SUBJECT = 998

export interface Message {
  readonly subject: string
  readonly text: string
  /** The HTML of a template in HTML. */
  readonly html?: string
  /** A note for the result of the action, or null. */
  readonly note: string | null
}

/** Renders the message of a template with the event data. */
export function renderMessage(workspace: Workspace, id: string, data: EventData): Message {
  const template = templates.find(workspace, id)
  if (template) {
    const subject = fillPlaceholders(template.subject, data, LONGEST_SUBJECT)
    if (!isHtml(template.body)) return { subject, text: fillPlaceholders(template.body, data), note: null }
    // Values are escaped, so that a name cannot insert HTML.
    const html = fillPlaceholders(template.body, data, LONGEST_TEXT, escapeHtml)
    return { subject, text: htmlToPlainText(html), html, note: null }
  }
  const missing = `There is no template ${id}.`
  const head = `${missing} The trigger crm.template.define creates one. It could have used these values:\n\n`
  return {
    subject: truncate(`Template ${id}`, LONGEST_SUBJECT),
    text: head + listValues(data, LONGEST_TEXT - head.length),
    note: `${missing} The message lists the values that it could have used.`,
  }
}
