/** A fresh app with helpers to create, join and end meetings and a clock frozen at NOON. */
import { freshApp, type Answer, type Call, type FreshApp } from './app.ts'
import { asForm } from './payers.ts'
import { eventNamesOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

type Fields = Readonly<Record<string, unknown>>

export interface Admitted {
  readonly url: string
  readonly guestUrl: string
  readonly token: string
}

export interface Summed {
  readonly success: boolean
  readonly summary: string | null
  readonly transcript_url: string | null
  readonly language: string | null
}

export interface Meetings {
  readonly fresh: FreshApp
  readonly call: Call
  /** POST /public/meetings; returns the public id. */
  readonly create: (fields?: Fields) => Promise<string>
  readonly update: (id: string, fields: Fields) => Promise<Answer>
  readonly add: (id: string, fields?: Fields) => Promise<Answer>
  /** Joins, which must succeed. */
  readonly admit: (id: string, fields?: Fields) => Promise<Admitted>
  readonly trigger: (name: string, body: Fields) => Promise<Answer>
  /** Fires the trigger meetings.session.end and returns the id of the session. */
  readonly end: (id: string) => Promise<string>
  readonly fetchTranscript: (id: string, session: string) => Promise<Answer>
  readonly summary: (id: string) => Promise<Summed>
  /** GET of a URL of this server, without a key. */
  readonly open: (url: string) => Promise<Answer>
  /** Submits the page at the URL as a browser does. */
  readonly act: (url: string, fields: Readonly<Record<string, string>>) => Promise<Answer>
  readonly advance: (duration: string) => Promise<Answer>
  readonly events: () => string[]
}

/** The path and query of a URL. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost')
  return pathname + search
}

export async function freshMeetings(): Promise<Meetings> {
  const fresh = await freshApp()
  const call = fresh.at('meetings')
  fresh.setClock(NOON)
  const control = `/_sim/workspaces/${fresh.workspace.id}`

  const ask = async <Body>(answer: Promise<Answer>): Promise<Body> => {
    const { status, text, body } = await answer
    if (status >= 300) throw new Error(`answered ${String(status)}: ${text}`)
    return body as Body
  }
  const add = (id: string, fields: Fields = {}) =>
    call('POST', `/public/meetings/${id}/participants`, {
      body: { preset_name: 'sim_meet_participant', ...fields },
    })
  const trigger = (name: string, body: Fields) =>
    fresh.call('POST', `${control}/triggers/meetings.${name}`, { body })

  return {
    fresh,
    call,
    add,
    trigger,
    async create(fields) {
      const body = { title: 'Planning', language: 'en', ...fields }
      const made = await ask<{ meeting: { publicMeetingId: string } }>(
        call('POST', '/public/meetings', { body }),
      )
      return made.meeting.publicMeetingId
    },
    update: (id, body) => call('PATCH', `/public/meetings/${id}`, { body }),
    admit: async (id, fields) => (await ask<{ participant: Admitted }>(add(id, fields))).participant,
    end: async (id) =>
      (await ask<{ cfSessionId: string }>(trigger('session.end', { publicMeetingId: id }))).cfSessionId,
    fetchTranscript: (id, session) =>
      call('POST', `/public/meetings/${id}/sessions/${session}/fetch-transcript`),
    summary: (id) => ask(call('GET', `/public/meetings/${id}/summary`)),
    open: (url) => fresh.call('GET', pathOf(url), { key: null }),
    act: (url, fields) => fresh.call('POST', pathOf(url), { key: null, ...asForm(fields) }),
    advance: (duration) => fresh.call('POST', `${control}/clock/advance`, { body: { duration } }),
    events: () => eventNamesOf(fresh.workspace, 'meetings'),
  }
}

/** An error of meetings for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string) => ({
  status,
  body: { success: false, code, ...(field !== undefined && { details: [{ field }] }) },
})
