/**
 * What the player does in a browser: every 15 seconds, and when something else is to be shown, it reports that it is
 * alive and hears what to play; it tells of each item that it has shown, to the end or not, and does what it is asked to.
 * Plain JavaScript, served as it stands.
 */
export const PLAYER_SCRIPT = `'use strict'
{
  const player = document.getElementById('player')
  if (player) {
    const REPORT_EVERY = 15000
    const LEAST_WAIT = 1000
    const BROKEN_FOR = 2000
    const here = location.pathname.replace(/\\/$/, '')
    const stage = document.getElementById('stage')
    const note = document.getElementById('note')
    const words = document.getElementById('words')

    const post = (path, fields) =>
      fetch(here + path, { method: 'POST', body: new URLSearchParams(fields), keepalive: true })

    // What a device has shown while it could not tell is lost, as it is when one is switched off.
    const quietly = (promise) => promise.catch(() => undefined)

    const say = (text) => {
      words.textContent = text
      note.hidden = false
    }

    const shuffled = (items) => {
      const left = [...items]
      const mixed = []
      while (left.length > 0) mixed.push(...left.splice(Math.floor(Math.random() * left.length), 1))
      return mixed
    }

    /** Plays one playlist in one part of the screen, until it is stopped. */
    class Loop {
      constructor(zone, playlist) {
        this.zone = zone
        this.playlist = playlist
        this.queue = []
        this.turn = 0
        this.shown = null
        this.next()
      }

      next() {
        const { items, shuffle, playback_mode: mode } = this.playlist
        if (this.queue.length === 0) {
          if (items.length === 0 || (mode === 'once' && this.turn > 0)) return
          this.queue = shuffle ? shuffled(items) : [...items]
          this.turn += 1
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
          // It has no end of its own, and must not keep the screen dark.
          if (item.duration === null && this.element === element) {
            this.timer = setTimeout(() => this.ended(), BROKEN_FOR)
          }
        })
        element.src = item.url
        const before = this.element
        this.element = element
        this.zone.append(element)
        if (before) setTimeout(() => before.remove(), item.transition_duration * 1000)
        this.shown = { item, since: performance.now() }
        // A video whose length nobody knows ends by itself.
        if (item.duration !== null) this.timer = setTimeout(() => this.ended(), item.duration * 1000)
      }

      ended() {
        this.tell(true)
        this.next()
      }

      tell(completed) {
        if (!this.shown) return
        const { item, since } = this.shown
        this.shown = null
        if (this.element.classList.contains('broken')) return
        const seconds = completed && item.duration !== null ? item.duration : (performance.now() - since) / 1000
        quietly(
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
        this.tell(false)
        this.zone.remove()
      }
    }

    const part = (measure, whole) => (typeof measure === 'number' ? (measure / whole) * 100 + '%' : measure)

    const zoneOf = ({ x, y, width, height }, across, down) => {
      const zone = document.createElement('div')
      zone.className = 'zone'
      zone.style.left = part(x, across)
      zone.style.top = part(y, down)
      zone.style.width = part(width, across)
      zone.style.height = part(height, down)
      stage.append(zone)
      return zone
    }

    /** A medium by itself stays; it is told of every minute. */
    const alone = (media) => ({
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
        zone.playlist ? [{ zone, playlist: zone.playlist }] : zone.media ? [{ zone, playlist: alone(zone.media) }] : [],
      )
    }

    /** The same but for links, which change every hour. */
    const likeness = (parts) => JSON.stringify(parts, (key, value) => (key === 'url' ? undefined : value))

    let loops = []
    let shown = null

    const play = (now) => {
      const parts = partsOf(now)
      const wanted = likeness(parts)
      if (wanted !== shown) {
        shown = wanted
        for (const loop of loops) loop.stop()
        const [across, down] = (now.layout ? now.layout.resolution : '100x100').split('x').map(Number)
        loops = parts.map(({ zone, playlist }) => new Loop(zoneOf(zone, across, down), playlist))
      } else {
        parts.forEach(({ playlist }, index) => {
          loops[index].playlist = playlist
        })
      }
      if (parts.some(({ playlist }) => playlist.items.length > 0)) note.hidden = true
      else say(now.changes_at ? 'Nothing to show until ' + now.changes_at : 'Nothing to show')
    }

    const stop = () => {
      for (const loop of loops) loop.stop()
      loops = []
      shown = null
    }

    const act = async (pending) => {
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
      return Math.max(LEAST_WAIT, Math.min(REPORT_EVERY, change))
    }

    const report = async () => {
      let wait = REPORT_EVERY
      try {
        const answer = await post('/reports', {})
        if (answer.ok) {
          const now = await answer.json()
          wait = waitOf(now)
          play(now)
          await act(now.pending_actions)
        } else if (answer.status === 404) {
          // It is not paired any more, and shows the pairing screen again.
          location.replace('../')
          return
        }
      } catch {
        // The server can't be reached: what is there is played on.
        if (loops.length === 0) say('The server cannot be reached.')
      }
      setTimeout(report, wait)
    }

    addEventListener('pagehide', stop)
    say('Asking what to play')
    void report()
  }

  if (document.getElementById('pairing')) setTimeout(() => location.reload(), 3000)
}
`
