/**
 * What a `send_email` action sends. The specification names `template_id` and no call that makes a template: they come
 * into being by a trigger or a snapshot. Where nobody has defined one, the message names it, and lists what it would have
 * been filled with, so that an automation can be tried before its templates are there. All of it is assumed.
 */
import { Type } from '@sinclair/typebox'
import { record } from '../record.ts'
import { escapedHtml, isHtml, plainOf } from '../htmlText.ts'
import { text } from '../shapes.ts'
import type { EventData, Workspace } from '../workspace.ts'
import { cut, filled, listed, LONGEST_TEXT } from './placeholders.ts'
import { templates as table } from './tables.ts'

export type Template = typeof table.$inferSelect

export const templates = record(table, {
  noun: 'template',
  snapshot: {
    section: 'crm',
    name: 'templates',
    instants: ['createdAt'],
    shapes: () => ({ name: text(200), body: Type.String({ maxLength: LONGEST_TEXT }) }),
  },
})

export interface NewTemplate {
  /** Of a template that is there: it is defined anew. */
  readonly id?: string
  readonly name: string
  readonly subject: string
  readonly body: string
}

/** Makes a template, or defines the one with this id anew. */
export const defineTemplate = (workspace: Workspace, { id, ...fields }: NewTemplate): Template =>
  workspace.write(() => {
    const there = id === undefined ? undefined : templates.find(workspace, id)
    if (there) return templates.update(workspace, there, fields)
    return templates.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('tpl_'),
      createdAt: workspace.now(),
    })
  })

/** Mail programs take no longer line. */
const LONGEST_SUBJECT = 998

export interface Message {
  readonly subject: string
  readonly text: string
  /** Of a template that is written in HTML. */
  readonly html?: string
  /** What the reader of an execution should know; null where there is nothing to be said. */
  readonly note: string | null
}

/** The message that a template makes of what an event is about. */
export function messageOf(workspace: Workspace, id: string, data: EventData): Message {
  const template = templates.find(workspace, id)
  if (template) {
    const subject = filled(template.subject, data, LONGEST_SUBJECT)
    if (!isHtml(template.body)) return { subject, text: filled(template.body, data), note: null }
    // Whatever somebody is called, it is a text there.
    const html = filled(template.body, data, LONGEST_TEXT, escapedHtml)
    return { subject, text: plainOf(html), html, note: null }
  }
  const missing = `There is no template ${id}.`
  const head = `${missing} The trigger crm.template.define makes one. It would have been filled with:\n\n`
  return {
    subject: cut(`Template ${id}`, LONGEST_SUBJECT),
    text: head + listed(data, LONGEST_TEXT - head.length),
    note: `${missing} The message lists what it would have been filled with.`,
  }
}
