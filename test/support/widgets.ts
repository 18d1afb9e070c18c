/** Visitors of the web widget, for tests of its pages. */
import { expect } from 'vitest'
import type { Chat } from './chatting.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The pages of the widget of an inbox, as a browser without scripts uses them. */
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
    /** Says who one is; answers with the address of the page that follows. */
    async begin(fields: Record<string, string>) {
      const { status, headers } = await post(home, fields)
      expect(status).toBe(303)
      return `/chat/widget/${workspace.id}/${headers['location'] ?? ''}`
    },
  }
}
