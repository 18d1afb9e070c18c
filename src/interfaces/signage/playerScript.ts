/**
 * The script of the player. Every 15 seconds, and when the content changes, it sends a report and receives the current
 * content. It records each playback and completes pending actions. Plain JavaScript.
 */
import { localeOf, MOMENT } from '../../http/schemas/wording.ts'
import type { Spoken } from '../../state/text/languages.ts'
import { PLAYER_TEXTS } from './playerTexts.ts'

export const PLAYER_SCRIPT: Spoken = (language) => `'use strict'
{
  const player = document.getElementById('player')
  if (player) {
    const REPORT_EVERY = 15000
    const MIN_WAIT = 1000
    const BROKEN_FOR = 2000
    const basePath = location.pathname.replace(/\\/$/, '')
    const stage = document.getElementById('stage')
    const note = document.getElementById('note')
    const message = document.getElementById('words')

    const post = (path, fields) =>
      fetch(basePath + path, { method: 'POST', body: new URLSearchParams(fields), keepalive: true })

    // Playbacks that cannot be sent are lost, as on a device that is switched off.
    const ignoreErrors = (promise) => promise.catch(() => undefined)

    const showMessage = (text) => {
      message.textContent = text
      note.hidden = false
    }

    const inWords = (moment, timeZone) =>
      new Intl.DateTimeFormat('${localeOf(language)}', { ...${JSON.stringify(MOMENT)}, timeZone }).format(Date.parse(moment))

    const shuffle = (items) => {
      const rest = [...items]
      const result = []
      while (rest.length > 0) result.push(...rest.splice(Math.floor(Math.random() * rest.length), 1))
      return result
    }

    /** Plays one playlist in one zone of the screen until it is stopped. */
    class Loop {
      constructor(zone, playlist) {
        this.zone = zone
        this.playlist = playlist
        this.queue = []
        this.rounds = 0
        this.current = null
        this.next()
      }

      next() {
        const { items, shuffle: isShuffled, playback_mode: mode } = this.playlist
        if (this.queue.length === 0) {
          if (items.length === 0 || (mode === 'once' && this.rounds > 0)) return
          this.queue = isShuffled ? shuffle(items) : [...items]
          this.rounds += 1
        }
        this.show(this.queue.shift())
      }

      show(item) {
        const element = document.createElement(item.media_type === 'video' ? 'video' : 'img')
        element.dataset.media = item.media_id
        element.className = item.transition
        element.style.setProperty('--taking', item.transition_duration + 's')
        if (item.media_type === 'video') {
          element.muted = true
          element.autoplay = true
          element.playsInline = true
          if (item.duration === null) element.addEventListener('ended', () => this.ended())
          else element.loop = true
        } else {
          element.alt = item.media_name
        }
        element.addEventListener('error', () => {
          element.classList.add('broken')
          // A broken video never ends. Skip it, so that the screen does not stay dark.
          if (item.duration === null && this.element === element) {
            this.timer = setTimeout(() => this.ended(), BROKEN_FOR)
          }
        })
        element.src = item.url
        const before = this.element
        this.element = element
        this.zone.append(element)
        if (before) setTimeout(() => before.remove(), item.transition_duration * 1000)
        this.current = { item, since: performance.now() }
        // A video of unknown length fires 'ended' instead.
        if (item.duration !== null) this.timer = setTimeout(() => this.ended(), item.duration * 1000)
      }

      ended() {
        this.recordPlayback(true)
        this.next()
      }

      recordPlayback(completed) {
        if (!this.current) return
        const { item, since } = this.current
        this.current = null
        if (this.element.classList.contains('broken')) return
        const seconds = completed && item.duration !== null ? item.duration : (performance.now() - since) / 1000
        ignoreErrors(
          post('/playbacks', {
            media_id: item.media_id,
            ...(this.playlist.id && { playlist_id: this.playlist.id }),
            duration_seconds: seconds.toFixed(3),
            completed: String(completed),
          }),
        )
      }

      stop() {
        clearTimeout(this.timer)
        this.recordPlayback(false)
        this.zone.remove()
      }
    }

    const toPercent = (measure, total) => (typeof measure === 'number' ? (measure / total) * 100 + '%' : measure)

    const zoneOf = ({ x, y, width, height }, across, down) => {
      const zone = document.createElement('div')
      zone.className = 'zone'
      zone.style.left = toPercent(x, across)
      zone.style.top = toPercent(y, down)
      zone.style.width = toPercent(width, across)
      zone.style.height = toPercent(height, down)
      stage.append(zone)
      return zone
    }

    /** Wraps a single medium in a playlist. An image is recorded every minute. */
    const singleItemPlaylist = (media) => ({
      id: null,
      playback_mode: 'loop',
      shuffle: false,
      items: [{ ...media, duration: media.media_type === 'video' ? null : 60, transition: 'cut', transition_duration: 0 }],
    })

    const WHOLE = { x: 0, y: 0, width: '100%', height: '100%' }

    const partsOf = ({ playlist, layout }) => {
      if (playlist) return [{ zone: WHOLE, playlist }]
      if (!layout) return []
      return layout.zones.flatMap((zone) =>
        zone.playlist ? [{ zone, playlist: zone.playlist }] : zone.media ? [{ zone, playlist: singleItemPlaylist(zone.media) }] : [],
      )
    }

    /** Serializes the content without links, which change every hour. */
    const keyOf = (parts) => JSON.stringify(parts, (key, value) => (key === 'url' ? undefined : value))

    let loops = []
    let currentKey = null

    const play = (now) => {
      const parts = partsOf(now)
      const key = keyOf(parts)
      if (key !== currentKey) {
        currentKey = key
        for (const loop of loops) loop.stop()
        const [across, down] = (now.layout ? now.layout.resolution : '100x100').split('x').map(Number)
        loops = parts.map(({ zone, playlist }) => new Loop(zoneOf(zone, across, down), playlist))
      } else {
        parts.forEach(({ playlist }, index) => {
          loops[index].playlist = playlist
        })
      }
      if (parts.some(({ playlist }) => playlist.items.length > 0)) note.hidden = true
      else if (now.changes_at) {
        const moment = inWords(now.changes_at, now.timezone)
        showMessage('${PLAYER_TEXTS.nothingUntil("' + moment + '")(language)}')
      } else showMessage('${PLAYER_TEXTS.nothing(language)}')
    }

    const stop = () => {
      for (const loop of loops) loop.stop()
      loops = []
      currentKey = null
    }

    const runActions = async (pending) => {
      let isRestarted = false
      for (const { action_id: id, action } of pending) {
        const picture = [...stage.querySelectorAll('img')].pop()
        const result = action === 'screenshot' && picture && picture.src.length <= 1000 ? { result_url: picture.src } : {}
        const { ok } = await post('/actions/' + encodeURIComponent(id), result)
        if (ok && action.startsWith('restart_')) isRestarted = true
      }
      if (!isRestarted) return
      stop()
      location.reload()
    }

    const waitOf = ({ at, changes_at: changesAt }) => {
      const change = changesAt === null ? Infinity : Date.parse(changesAt) - Date.parse(at)
      return Math.max(MIN_WAIT, Math.min(REPORT_EVERY, change))
    }

    const report = async () => {
      let wait = REPORT_EVERY
      try {
        const answer = await post('/reports', {})
        if (answer.ok) {
          const now = await answer.json()
          wait = waitOf(now)
          play(now)
          await runActions(now.pending_actions)
        } else if (answer.status === 404) {
          // The screen was unpaired: show the pairing page again.
          location.replace('../' + location.search)
          return
        }
      } catch {
        // The server cannot be reached: keep playing the current content.
        if (loops.length === 0) showMessage('${PLAYER_TEXTS.unreachable(language)}')
      }
      setTimeout(report, wait)
    }

    addEventListener('pagehide', stop)
    showMessage('${PLAYER_TEXTS.loading(language)}')
    void report()
  }

  if (document.getElementById('pairing')) setTimeout(() => location.reload(), 3000)
}
`
