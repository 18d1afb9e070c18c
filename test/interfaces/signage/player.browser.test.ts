/** The player in a real browser with controlled timers: what it shows and what it reports. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser, navigate, openTab } from '../../support/browser.ts'
import { listenTo } from '../../support/payers.ts'
import { drawing, EVERY_DAY, freshSignage, type ActionBody, type ReportBody } from '../../support/signage.ts'

const ALL_DAY = { days: EVERY_DAY, time_start: '00:00', time_end: '00:00' }

async function setup() {
  const signage = await freshSignage()
  const url = await listenTo(signage.fresh)
  const [desk, chair] = [
    await signage.addMedia({ name: 'Desk', file: drawing(160, 90) }),
    await signage.addMedia({ name: 'Chair', file: drawing(90, 160) }),
  ]
  const screen = await signage.addScreen({ name: 'Window' })
  const playlist = await signage.addPlaylist({
    items: [
      { media_id: desk.id, duration: 10 },
      { media_id: chair.id, duration: 5, transition: 'cut' },
    ],
  })
  const schedule = await signage.addSchedule({
    rules: [{ ...ALL_DAY, playlist_id: playlist.id }],
    screen_ids: [screen.id],
  })
  const player = `${url}/grid/player/${signage.fresh.workspace.id}`
  return {
    ...signage,
    desk,
    chair,
    screen,
    playlist,
    schedule,
    player,
    report: () => signage.ask<ReportBody>('GET', '/analytics/playback'),
  }
}

/** Opens the player of the screen, which shows its first item. */
async function opened({ player, screen }: Awaited<ReturnType<typeof setup>>): Promise<Page> {
  const page = await openTab({ viewport: { width: 1280, height: 720 } })
  await page.clock.install()
  await page.goto(`${player}/screens/${screen.id}`)
  await page.waitForSelector('#stage .zone > *')
  return page
}

/** Advances time on the page and waits until the server has responded to a call to this path. */
async function passes(page: Page, seconds: number, path: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(path))
  await page.clock.runFor(seconds * 1000)
  await answered
}

const currentItem = (page: Page): Promise<string[]> =>
  page
    .locator('#stage .zone > :last-child')
    .evaluateAll((elements) => elements.map((element) => String(element.getAttribute('data-media'))))

describeInBrowser('player', () => {
  test('plays the playlist in full screen, and reports each item', async () => {
    const signage = await setup()
    const { desk, chair, report } = signage
    const page = await opened(signage)
    expect(await currentItem(page)).toEqual([desk.id])
    const image = page.locator('#stage img').last()
    expect(await image.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 720 })
    expect(await page.locator('#note').isVisible()).toBe(false)
    await passes(page, 10, '/playbacks')
    expect(await currentItem(page)).toEqual([chair.id])
    await passes(page, 5, '/playbacks')
    expect(await currentItem(page)).toEqual([desk.id])
    expect((await report()).data).toMatchObject(
      [desk, chair]
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id }) => ({
          media_id: id,
          total_plays: 1,
          total_duration_seconds: id === desk.id ? 10 : 5,
          completion_rate: 100,
        })),
    )
  })

  test('continues after a video of unknown length that it cannot play', async () => {
    const signage = await setup()
    const { addMedia, ask, chair, playlist } = signage
    const content = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1')
    const clip = await addMedia({ file: { filename: 'clip.mp4', content } })
    await ask('PATCH', `/playlists/${playlist.id}`, {
      items: [{ media_id: clip.id }, { media_id: chair.id, duration: 5, transition: 'cut' }],
    })
    const page = await opened(signage)
    await page.waitForSelector(`#stage .broken[data-media="${clip.id}"]`)
    await page.clock.runFor(2000)
    expect(await currentItem(page)).toEqual([chair.id])
  })

  test('keeps its screen online', async () => {
    const signage = await setup()
    const page = await opened(signage)
    signage.setClock('2026-11-21T12:04:00.000Z')
    await passes(page, 15, '/reports')
    signage.setClock('2026-11-21T12:08:59.000Z')
    expect(await signage.getScreen(signage.screen.id)).toMatchObject({
      status: 'online',
      last_sync: '2026-11-21T12:04:00.000Z',
    })
  })

  test('plays new content and reports the item that it interrupted', async () => {
    const signage = await setup()
    const { ask, chair, desk, playlist, report } = signage
    const page = await opened(signage)
    await page.clock.runFor(4000)
    await ask('PATCH', `/playlists/${playlist.id}`, { items: [{ media_id: chair.id, duration: 60 }] })
    await passes(page, 15, '/reports')
    await page.waitForSelector(`#stage [data-media="${chair.id}"]`)
    expect((await report()).data.map((row) => 'media_id' in row && row.media_id)).toContain(desk.id)
  })

  test('shows the zones of a layout in their positions', async () => {
    const signage = await setup()
    const { addLayout, ask, chair, desk, playlist, schedule } = signage
    const layout = await addLayout({
      zones: [
        { x: 0, y: 0, width: '75%', height: '100%', content_type: 'playlist', content_id: playlist.id },
        { x: 1440, y: 540, width: 480, height: 540, content_type: 'media', content_id: chair.id },
      ],
    })
    await ask('PATCH', `/schedules/${schedule.id}`, { rules: [{ ...ALL_DAY, layout_id: layout.id }] })
    const page = await opened(signage)
    expect(await currentItem(page)).toEqual([desk.id, chair.id])
    expect(await page.locator('#stage .zone').nth(1).boundingBox()).toEqual({
      x: 960,
      y: 360,
      width: 320,
      height: 360,
    })
  })

  test('executes commands', async () => {
    const signage = await setup()
    const { ask, chair, desk, getScreen, screen } = signage
    const page = await opened(signage)
    const { action_id } = await ask<ActionBody>('POST', `/screens/${screen.id}/actions`, {
      action: 'screenshot',
    })
    await passes(page, 15, `/actions/${action_id}`)
    const [screenshot] = (await getScreen(screen.id)).actions
    expect(screenshot?.status).toBe('completed')
    expect([desk.url, chair.url]).toContain(screenshot?.result_url)
    await ask<ActionBody>('POST', `/screens/${screen.id}/actions`, { action: 'restart_app' })
    await navigate(page, () => page.clock.runFor(15_000))
    expect((await getScreen(screen.id)).actions[0]).toMatchObject({ status: 'completed' })
  })

  test('shows a message without content, and a code again after it is unpaired', async () => {
    const signage = await setup()
    const { ask, screen, schedule } = signage
    const page = await opened(signage)
    const note = page.locator('#words')
    await ask('PATCH', `/schedules/${schedule.id}`, { active: false })
    await page.clock.runFor(15_000)
    await note.getByText('Nothing to show').waitFor()
    expect(await accessibilityViolationsOn(page)).toEqual([])
    await ask('DELETE', `/screens/${screen.id}`)
    await page.clock.runFor(15_000)
    await page.getByText('This screen is not paired').waitFor()
  })

  test('says in Spanish until when there is nothing to show, and keeps the language after it is unpaired', async () => {
    const { ask, player, playlist, schedule, screen } = await setup()
    await ask('PATCH', `/schedules/${schedule.id}`, {
      rules: [{ days: EVERY_DAY, time_start: '18:30', time_end: '20:00', playlist_id: playlist.id }],
    })
    const page = await openTab()
    await page.clock.install()
    await page.goto(`${player}/screens/${screen.id}?lang=es`)
    const note = page.locator('#words')
    await note.getByText('No hay contenido para mostrar').waitFor()
    expect((await note.innerText()).replaceAll(/\s/g, ' ')).toBe(
      'No hay contenido para mostrar hasta el 21 de noviembre de 2026 a las 6:30 p.m. UTC',
    )
    // The player covers the links to other languages.
    expect(await page.getByRole('navigation').count()).toBe(0)
    await ask('DELETE', `/screens/${screen.id}`)
    await page.clock.runFor(15_000)
    await page.getByText('Esta pantalla no está vinculada').waitFor()
  })

  test('starts with a code, and plays after a screen is paired with it', async () => {
    const { ask, player } = await setup()
    const page = await openTab()
    await page.goto(player)
    expect(await accessibilityViolationsOn(page)).toEqual([])
    await navigate(page, () => page.getByRole('button', { name: 'Show a code' }).click())
    expect(await accessibilityViolationsOn(page)).toEqual([])
    const code = await page.locator('.amount').innerText()
    const { id } = await ask<{ id: string }>('POST', '/screens', { pairing_code: code, name: 'New' })
    await page.waitForURL(`**/screens/${id}`)
    await page.getByText('Nothing to show').waitFor()
  })
})
