/** Media, playlists, layouts, schedules and groups. */
import { NAME, type Scenarios } from '../scenario.ts'

const MEDIA = { media_id: '{media}' }
const PLAYLIST = { playlist_id: '{playlist}' }
const LAYOUT = { layout_id: '{layout}' }
const SCHEDULE = { schedule_id: '{schedule}' }
const GROUP = { group_id: '{group}' }

/** A PNG image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const RULE = { days: ['monday'], time_start: '08:00', time_end: '09:00', playlist_id: '{playlist}' }

const MAKE_PLAYLIST = {
  operation: 'createPlaylist',
  body: { name: NAME, playback_mode: 'once', shuffle: false },
  save: { playlist: 'id' },
  creates: {
    id: 'playlist',
    undo: { operation: 'deletePlaylist', path: PLAYLIST },
    find: { operation: 'listPlaylists', query: { search: '{run}' } },
  },
} as const

export const signageScenarios: Scenarios = {
  interface: 'signage',
  scenarios: [
    {
      resource: 'media',
      steps: [
        {
          operation: 'uploadMedia',
          body: { name: NAME },
          file: { field: 'file', name: 'suite-sim-{run}.png', type: 'image/png', base64: PIXEL },
          save: { media: 'id' },
          creates: {
            id: 'media',
            undo: { operation: 'deleteMedia', path: MEDIA },
            find: { operation: 'listMedia', query: { search: '{run}' } },
          },
        },
        { operation: 'getMedia', path: MEDIA },
        { operation: 'listMedia', query: { search: '{run}' }, rows: '{media}' },
        { operation: 'updateMedia', path: MEDIA, body: { tags: ['suite-sim'] } },
        { operation: 'updateMedia', path: MEDIA, body: { name: '' }, refused: 422 },
        { operation: 'deleteMedia', path: MEDIA },
        { operation: 'getMedia', path: MEDIA, refused: 404 },
      ],
    },
    {
      resource: 'playlists',
      steps: [
        MAKE_PLAYLIST,
        { operation: 'getPlaylist', path: PLAYLIST },
        { operation: 'listPlaylists', query: { search: '{run}' }, rows: '{playlist}' },
        { operation: 'updatePlaylist', path: PLAYLIST, body: { playback_mode: 'loop' } },
        { operation: 'updatePlaylist', path: PLAYLIST, body: { playback_mode: 'twice' }, refused: 422 },
        { operation: 'createPlaylist', body: { name: NAME, playback_mode: 'twice' }, refused: 422 },
        { operation: 'deletePlaylist', path: PLAYLIST },
        { operation: 'getPlaylist', path: PLAYLIST, refused: 404 },
      ],
    },
    {
      resource: 'layouts',
      steps: [
        {
          operation: 'createLayout',
          body: {
            name: NAME,
            resolution: '1920x1080',
            zones: [{ id: 'main', x: 0, y: 0, width: '100%', height: '100%' }],
          },
          save: { layout: 'id' },
          creates: {
            id: 'layout',
            undo: { operation: 'deleteLayout', path: LAYOUT },
            find: { operation: 'listLayouts' },
          },
        },
        { operation: 'getLayout', path: LAYOUT },
        { operation: 'listLayouts', query: { per_page: '100' }, rows: '{layout}' },
        { operation: 'updateLayout', path: LAYOUT, body: { resolution: '1280x720' } },
        { operation: 'updateLayout', path: LAYOUT, body: { resolution: 'large' }, refused: 422 },
        { operation: 'deleteLayout', path: LAYOUT },
        { operation: 'getLayout', path: LAYOUT, refused: 404 },
      ],
    },
    {
      resource: 'groups',
      steps: [
        {
          operation: 'createGroup',
          body: { name: NAME, description: 'A group of suite-sim verify' },
          save: { group: 'id' },
          creates: {
            id: 'group',
            undo: { operation: 'deleteGroup', path: GROUP },
            find: { operation: 'listGroups' },
          },
        },
        { operation: 'getGroup', path: GROUP },
        { operation: 'listGroups', query: { per_page: '100' }, rows: '{group}' },
        { operation: 'updateGroup', path: GROUP, body: { description: null } },
        { operation: 'updateGroup', path: GROUP, body: { name: '' }, refused: 422 },
        { operation: 'deleteGroup', path: GROUP },
        { operation: 'getGroup', path: GROUP, refused: 404 },
      ],
    },
    {
      resource: 'schedules',
      steps: [
        MAKE_PLAYLIST,
        {
          operation: 'createGroup',
          body: { name: NAME },
          save: { group: 'id' },
          creates: {
            id: 'group',
            undo: { operation: 'deleteGroup', path: GROUP },
            find: { operation: 'listGroups' },
          },
        },
        {
          operation: 'createSchedule',
          // Its group has no screens, and it is inactive: nothing is shown anywhere.
          body: { name: NAME, group_ids: ['{group}'], rules: [RULE], active: false },
          save: { schedule: 'id' },
          creates: {
            id: 'schedule',
            undo: { operation: 'deleteSchedule', path: SCHEDULE },
            find: { operation: 'listSchedules' },
          },
        },
        { operation: 'getSchedule', path: SCHEDULE },
        { operation: 'listSchedules', query: { group_id: '{group}' }, rows: '{schedule}' },
        { operation: 'deletePlaylist', path: PLAYLIST, refused: 409 },
        { operation: 'updateSchedule', path: SCHEDULE, body: { priority: 1000 } },
        { operation: 'updateSchedule', path: SCHEDULE, body: { priority: 1001 }, refused: 422 },
        { operation: 'deleteSchedule', path: SCHEDULE },
        { operation: 'getSchedule', path: SCHEDULE, refused: 404 },
      ],
    },
  ],
  uncovered: {
    pairScreen: 'a screen shows the pairing code',
    updateScreen: 'only a paired screen can be changed, and a person must pair it',
    unpairScreen: 'only a paired screen can be removed, and a person must pair it',
    requestScreenAction: 'only a paired screen can do something, and a person must pair it',
  },
}
