/** The page Recordings, and the notice on every page while a recording is running, in a real browser. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, PHONE } from '../../../test/support/browser.ts'
import {
  barriersOn,
  dashboardServer,
  detail,
  goTo,
  NO_BARRIERS,
  openPage,
  row,
  untilShown,
} from './dashboardServer.ts'

const smallServer = () => dashboardServer({ fixtures: 'small' })

interface Recording {
  readonly id: string
  readonly name: string
  readonly status: string
}

const notice = (tab: Page) => tab.getByRole('region', { name: 'Running recording' })

const PAGES = [
  ...['now', 'calls', 'hints', 'webhooks', 'inbox', 'records', 'changes', 'recordings'],
  ...['triggers', 'clock', 'emails', 'coverage'],
]

describeInBrowser('the page Recordings', () => {
  test('starts a recording, stops it on another page, saves its file, and has the commands for it', async () => {
    const { open, call, sim } = await smallServer()
    const tab = await open('recordings', { permissions: ['clipboard-read', 'clipboard-write'] })
    await tab.getByText('No recordings yet. A recording holds the calls, triggers and clock moves').waitFor()
    expect(await notice(tab).count()).toBe(0)
    await tab.getByLabel('Name').fill('  Zoë pays: "card" ')
    await tab.getByRole('button', { name: 'Start recording' }).click()
    await notice(tab).getByText('0 steps').waitFor()
    expect(await tab.getByRole('button', { name: 'Start recording' }).isDisabled()).toBe(true)
    expect(await tab.getByLabel('Name').inputValue()).toBe('')
    await row(tab, 'recording Zoë pays: "card"').waitFor()

    await openPage(tab, 'clock')
    await tab.getByRole('button', { name: '+ 1 week' }).click()
    await call('POST', '/crm/v1/contacts', { name: 'New person' })
    await notice(tab).getByText('2 steps').waitFor()
    await notice(tab).getByRole('button', { name: 'Stop recording' }).click()
    await detail(tab).getByRole('heading', { name: 'stopped Zoë pays: "card"' }).waitFor()
    await notice(tab).waitFor({ state: 'detached' })

    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      detail(tab).getByRole('button', { name: 'Download file' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('zoe-pays-card.json')
    const { format, steps } = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
      format: string
      steps: { kind: string }[]
    }
    expect(format).toBe('suite-simulator-recording/1')
    expect(steps.map(({ kind }) => kind)).toEqual(['clock', 'call'])

    const copied = () => tab.evaluate<string>('navigator.clipboard.readText()')
    for (const [title, command] of [
      ['Replay it and compare', ''],
      ['Write a test for Vitest', ' --as vitest --out zoe-pays-card.test.mjs'],
      ['Write a test for pytest', ' --as pytest --out test_zoe_pays_card.py'],
      ['Write a shell script', ' --as curl --out zoe-pays-card.sh'],
    ] as const) {
      await detail(tab)
        .getByRole('button', { name: `Copy the command: ${title}` })
        .click()
      await expect.poll(copied).toBe(`npx suite-sim replay zoe-pays-card.json${command}`)
    }

    const questions: string[] = []
    let answer: 'accept' | 'dismiss' = 'dismiss'
    tab.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog[answer]()
    })
    await detail(tab).getByRole('button', { name: 'Delete' }).click()
    expect(questions).toEqual(['Delete the recording Zoë pays: "card"? Its 2 steps are lost.'])
    expect(await sim('GET', '/recordings')).toHaveProperty('data.length', 1)
    answer = 'accept'
    await detail(tab).getByRole('button', { name: 'Delete' }).click()
    await tab.getByText('No recordings yet.').waitFor()
    expect(await sim('GET', '/recordings')).toHaveProperty('data.length', 0)
  })

  test('shows recordings that others start, stop and delete', async () => {
    const { open, sim } = await smallServer()
    const tab = await open('recordings')
    await tab.clock.install()
    await tab.reload()
    await tab.getByText('No recordings yet.').waitFor()
    // The page polls, because the timeline has no entries about recordings.
    const poll = () => tab.clock.runFor(3000)
    const first = await sim<Recording>('POST', '/recordings', { name: 'From a script' })
    await poll()
    await notice(tab).getByText('From a script').waitFor()
    await row(tab, 'From a script').click()
    await detail(tab).getByText('Use the workspace now').waitFor()
    await sim('POST', `/recordings/${first.id}/stop`)
    await poll()
    await detail(tab).getByRole('button', { name: 'Download file' }).waitFor()
    const second = await sim<Recording>('POST', '/recordings', {})
    await poll()
    await expect.poll(() => tab.locator('.rows').getByRole('listitem').count()).toBe(2)
    expect(await tab.locator('.rows').getByRole('listitem').first().innerText()).toContain('Recording')
    await detail(tab).getByRole('button', { name: 'Download file' }).waitFor()

    await sim('DELETE', `/recordings/${first.id}`)
    await poll()
    await detail(tab).getByText('This recording no longer exists').waitFor()
    await sim('DELETE', `/recordings/${second.id}`)
    await poll()
    await notice(tab).waitFor({ state: 'detached' })
  })

  test('says why a recording can not start, and keeps its name', async () => {
    const { open, sim } = await smallServer()
    for (let count = 0; count < 20; count++) {
      const { id } = await sim<Recording>('POST', '/recordings', {})
      await sim('POST', `/recordings/${id}/stop`)
    }
    const tab = await open('recordings')
    await tab.getByLabel('Name').fill('One too many')
    await tab.getByRole('button', { name: 'Start recording' }).click()
    await tab.getByRole('alert').filter({ hasText: 'at most 20 recordings. Delete one first.' }).waitFor()
    expect(await tab.getByLabel('Name').inputValue()).toBe('One too many')
  })

  test('names the limit that ended a recording', async () => {
    const { open, sim } = await smallServer()
    const { id } = await sim<Recording>('POST', '/recordings', { name: 'Long' })
    await sim('POST', `/recordings/${id}/stop`)
    const tab = await open('clock')
    // Reaching a limit takes thousands of calls, so the answer is changed here.
    await tab.route('**/recordings', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: Recording[] }
      const ended = data.map((each) => ({ ...each, status: 'ended', endedBy: 'the limit of 10000 steps' }))
      await route.fulfill({ response, json: { data: ended } })
    })
    await openPage(tab, 'recordings')
    await row(tab, 'ended Long').click()
    await detail(tab).getByText('It was ended by the limit of 10000 steps.').waitFor()
    await detail(tab).getByRole('button', { name: 'Download file' }).waitFor()
  })
})

describeInBrowser('a running recording', () => {
  test('is named on every page of its workspace only, also on a phone', async () => {
    const { open, ask, sim } = await smallServer()
    await sim('POST', '/recordings', {
      name: 'A session with a name that is too long for one line of a phone',
    })
    const other = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', { name: 'Other' })
    const tab = await open('now')
    const stop = notice(tab).getByRole('button', { name: 'Stop recording' })
    for (const page of PAGES) {
      await goTo(tab, page)
      await untilShown(tab)
      for (const size of [{ width: 1280, height: 720 }, PHONE.viewport]) {
        await tab.setViewportSize(size)
        await stop.waitFor()
        const { x = Infinity, width = 0 } = (await stop.boundingBox()) ?? {}
        expect(x + width).toBeLessThan(size.width)
        const isWide = await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
        expect({ page, size, isWide }).toEqual({ page, size, isWide: false })
      }
      await tab.evaluate('scrollTo(0, 1e6)')
      expect((await notice(tab).boundingBox())?.y).toBeGreaterThanOrEqual(0)
    }
    expect(await barriersOn(tab)).toEqual(NO_BARRIERS)
    await openPage(tab, `recordings?workspace=${other.workspace.id}`)
    await tab.getByText('No recordings yet.').waitFor()
    expect(await notice(tab).count()).toBe(0)
  })

  test('is started and stopped by the command palette', async () => {
    const { open, sim } = await smallServer()
    const tab = await open('records')
    const run = async (words: string): Promise<void> => {
      await tab.keyboard.press('Control+k')
      await tab.getByRole('dialog').getByRole('combobox').fill(words)
      await tab.getByRole('option', { name: words }).waitFor()
      await tab.keyboard.press('Enter')
    }
    await tab.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
    await run('Stop the recording')
    await tab.getByText('No recording is running.').waitFor()
    await run('Start a recording')
    await notice(tab).waitFor()
    await run('Stop the recording')
    await notice(tab).waitFor({ state: 'detached' })
    await tab.getByText('Recording Recording stopped.').waitFor()
    expect(await sim('GET', '/recordings')).toMatchObject({ data: [{ status: 'stopped' }] })
  })
})
