/**
 * The script of the widget page. It subscribes to the events of the contact and reloads the messages after each one.
 * Without the script, the form works and a reload of the page shows new messages.
 */
import type { Spoken } from '../../state/text/languages.ts'
import { WIDGET_TEXTS } from './widgetTexts.ts'

export const WIDGET_SCRIPT: Spoken = (language) => `'use strict'
{
  const talk = document.getElementById('talk')
  const form = document.getElementById('write')
  const field = form?.querySelector('textarea')

  const toEnd = () => talk.scrollTo(0, talk.scrollHeight)

  const said = document.getElementById('connection')
  // The connection state below the form. After the end it does not change.
  let hasEnded = false
  let state = '${WIDGET_TEXTS.connecting(language)}'
  const say = (text) => {
    if (said.textContent !== text) said.textContent = text
  }
  const enter = (next) => say((state = next))
  const end = () => {
    hasEnded = true
    for (const control of form.elements) control.disabled = true
    enter('${WIDGET_TEXTS.ended(language)}')
  }

  let showing = null
  let isStale = false
  const show = async () => {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (answer.status === 404) end()
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.getElementById('talk')
    if (!fresh) return
    // Messages that did not change stay, so that a voice note plays on.
    const shown = [...talk.children]
    const next = [...fresh.children]
    const changed = next.findIndex((each, index) => !shown[index]?.isEqualNode(each))
    const from = changed < 0 ? next.length : changed
    if (from === next.length && from === shown.length) return
    for (const old of shown.slice(from)) old.remove()
    talk.append(...next.slice(from))
    toEnd()
  }
  // One reload at a time. Events during a reload cause another one.
  const refresh = () => {
    isStale = true
    showing ??= (async () => {
      while (isStale) {
        isStale = false
        await show().catch(() => undefined)
      }
      showing = null
    })()
  }

  let pause = 500
  const connect = () => {
    const url = new URL('../../../cable', location.href)
    // A proxy in front of several servers finds the workspace's by it.
    url.searchParams.set('workspace', location.pathname.split('/').at(-2))
    url.protocol = url.protocol.replace('http', 'ws')
    const socket = new WebSocket(url, ['actioncable-v1-json'])
    const identifier = JSON.stringify({ channel: 'RoomChannel', pubsub_token: talk.dataset.token })
    let lately = 0
    const watch = setInterval(() => {
      // The server beats every three seconds.
      if (++lately > 4) socket.close()
    }, 3000)
    socket.onmessage = ({ data }) => {
      lately = 0
      const { type, reconnect } = JSON.parse(data)
      if (type === 'ping') return
      if (type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }))
      else if (type === 'confirm_subscription') {
        pause = 500
        enter('${WIDGET_TEXTS.live(language)}')
        refresh()
      } else if (type === 'reject_subscription' || (type === 'disconnect' && reconnect === false)) {
        end()
        socket.close()
      } else if (type === undefined) refresh()
    }
    socket.onclose = () => {
      clearInterval(watch)
      if (hasEnded) return
      enter('${WIDGET_TEXTS.reconnecting(language)}')
      setTimeout(connect, (pause = Math.min(pause * 2, 30000)))
    }
  }

  if (talk && form) {
    toEnd()
    enter(state)
    connect()
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (field.value.trim() === '') return
      const body = new URLSearchParams(new FormData(form))
      const answer = await fetch(location.href, { method: 'POST', body }).catch(() => null)
      if (answer?.ok) {
        field.value = ''
        say(state)
        refresh()
        field.focus()
      } else if (answer?.status === 404) end()
      else say('${WIDGET_TEXTS.notSent(language)}')
    })
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault()
        form.requestSubmit()
      }
    })
  }
}
`
