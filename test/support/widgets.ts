/** Visitors of the web widget, for tests of its pages. */
import { expect } from 'vitest'
import type { Chat } from './chatting.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The widget pages of an inbox, used as by a browser without scripts. */
export function widgetOf({ call, workspace }: Chat, inbox: number) {
  const home = `/chat/widget/${workspace.id}/${String(inbox)}`
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    call('POST', path, {
      raw: new URLSearchParams(fields).toString(),
      contentType: FORM,
      key: null,
      headers,
    })
  return {
    home,
    post,
    get: (path: string, headers = {}) => call('GET', path, { key: null, headers }),
    /** Submits the contact details and returns the URL of the next page. */
    async begin(fields: Record<string, string>) {
      const { status, headers } = await post(home, fields)
      expect(status).toBe(303)
      return `/chat/widget/${workspace.id}/${headers['location'] ?? ''}`
    },
  }
}
