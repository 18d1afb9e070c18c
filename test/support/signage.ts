/** A fresh app with a frozen clock, and helpers for signage. */
import type { Static } from '@sinclair/typebox'
import type { PlaybackReport } from '../../src/interfaces/signage/shapes/analytics.ts'
import type { Group } from '../../src/interfaces/signage/shapes/groups.ts'
import type { Layout } from '../../src/interfaces/signage/shapes/layouts.ts'
import type { Media } from '../../src/interfaces/signage/shapes/media.ts'
import type { ScreenNow } from '../../src/interfaces/signage/shapes/now.ts'
import type { Playlist } from '../../src/interfaces/signage/shapes/playlists.ts'
import type { Schedule } from '../../src/interfaces/signage/shapes/schedules.ts'
import type { Action, ScreenDetail } from '../../src/interfaces/signage/shapes/screens.ts'
import type { NewWorkspace } from '../../src/state/workspace/registry.ts'
import { freshApp, type Answer, type Call, type FreshApp, type Method } from './app.ts'
import { formOf, type SentFile } from './forms.ts'
import { eventNamesOf } from './events.ts'

/** A Saturday at noon UTC. */
export const NOON = '2026-11-21T12:00:00.000Z'

export type ScreenBody = Static<typeof ScreenDetail.item>
export type ActionBody = Static<typeof Action.item>
export type MediaBody = Static<typeof Media.item>
export type PlaylistBody = Static<typeof Playlist.item>
export type LayoutBody = Static<typeof Layout.item>
export type ScheduleBody = Static<typeof Schedule.item>
export type GroupBody = Static<typeof Group.item>
export type NowBody = Static<typeof ScreenNow>
export type ReportBody = Static<typeof PlaybackReport>

export interface PageBody<Item> {
  readonly data: readonly Item[]
  readonly meta: { readonly current_page: number; readonly total_pages: number; readonly total_count: number }
}

type Fields = Readonly<Record<string, unknown>>

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const EVERY_DAY = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** A drawing of this size; each call returns a different file. */
export const drawing = (width = 1920, height = 1080): SentFile => ({
  filename: 'drawing.svg',
  content: `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}"/>`,
})

/** A 422 error because of a field. */
export const invalid = (field: string, code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: [{ field, code }] } },
})

export interface Signage {
  readonly fresh: FreshApp
  readonly call: Call
  readonly setClock: (now: string) => void
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** Fires a trigger and returns the response. */
  readonly pull: (name: string, body?: unknown) => Promise<Answer>
  /** Fires a trigger and returns the body of its response, which must be a 200. */
  readonly happens: <Body>(name: string, body?: Fields) => Promise<Body>
  readonly upload: (fields: Parameters<typeof formOf>[0]) => Promise<Answer<MediaBody>>
  readonly addMedia: (fields?: Parameters<typeof formOf>[0]) => Promise<MediaBody>
  /** Lets a device show a code, and pairs it. */
  readonly addScreen: (fields?: Fields) => Promise<ScreenBody>
  readonly getScreen: (id: string) => Promise<ScreenBody>
  /** POST /playlists; one picture for ten seconds by default. */
  readonly addPlaylist: (fields?: Fields) => Promise<PlaylistBody>
  readonly addLayout: (fields?: Fields) => Promise<LayoutBody>
  /** POST /schedules; every day from 08:00 to 18:00 by default. */
  readonly addSchedule: (fields: Fields) => Promise<ScheduleBody>
  readonly addGroup: (fields?: Fields) => Promise<GroupBody>
  /** What the screen plays now, from the control plane. */
  readonly nowOn: (screenId: string) => Promise<NowBody>
  /** The names of the events so far, oldest first. */
  readonly events: () => readonly string[]
}

export async function freshSignage(settings: Partial<NewWorkspace> = {}): Promise<Signage> {
  const fresh = await freshApp()
  fresh.workspace.change({ timezone: 'UTC', ...settings })
  fresh.setClock(NOON)
  const call = fresh.at('signage')
  const sim = `/_sim/workspaces/${fresh.workspace.id}`

  const mustWork = <Body>({ status, text, body }: Answer): Body => {
    if (status >= 300) throw new Error(`answered ${String(status)}: ${text}`)
    return body as Body
  }
  const ask = async <Body>(method: Method, path: string, body?: Fields): Promise<Body> =>
    mustWork(await call(method, path, body && { body }))
  const pull = (name: string, body: unknown = {}) =>
    fresh.call('POST', `${sim}/triggers/signage.${name}`, { body })
  const happens = async <Body>(name: string, body?: Fields): Promise<Body> => mustWork(await pull(name, body))
  const upload = async (fields: Parameters<typeof formOf>[0]): Promise<Answer<MediaBody>> =>
    (await call('POST', '/media', formOf(fields))) as Answer<MediaBody>
  const addMedia = async (fields: Parameters<typeof formOf>[0] = {}): Promise<MediaBody> =>
    mustWork(await upload({ file: drawing(), ...fields }))

  return {
    fresh,
    call,
    setClock: fresh.setClock,
    ask,
    pull,
    happens,
    upload,
    addMedia,
    async addScreen(fields = {}) {
      const { pairing_code } = await happens<{ pairing_code: string }>('pairing_code.issue')
      return ask('POST', '/screens', { pairing_code, name: 'Lobby', ...fields })
    },
    getScreen: (id) => ask('GET', `/screens/${id}`),
    async addPlaylist(fields = {}) {
      const items = fields['items'] ?? [{ media_id: (await addMedia()).id, duration: 10 }]
      return ask('POST', '/playlists', { name: 'Welcome', ...fields, items })
    },
    addLayout: (fields = {}) =>
      ask('POST', '/layouts', {
        name: 'Main',
        resolution: '1920x1080',
        zones: [{ id: 'main', x: 0, y: 0, width: '100%', height: '100%' }],
        ...fields,
      }),
    addSchedule: ({ playlist_id, ...fields }) =>
      ask('POST', '/schedules', {
        name: 'Opening hours',
        rules: [{ days: EVERY_DAY, time_start: '08:00', time_end: '18:00', playlist_id }],
        ...fields,
      }),
    addGroup: (fields = {}) => ask('POST', '/groups', { name: 'Showroom', ...fields }),
    nowOn: async (screenId) => mustWork(await fresh.call('GET', `${sim}/signage/screens/${screenId}/now`)),
    events: () => eventNamesOf(fresh.workspace, 'signage'),
  }
}
