/** Labels compare without case (assumed, as in Chatwoot). */
import { describe, expect, test } from 'vitest'
import { freshAccount, type ConversationBody } from '../../support/conversations.ts'

type Account = Awaited<ReturnType<typeof freshAccount>>

const setLabels = ({ ask }: Account, id: number, labels: readonly string[]) =>
  ask<ConversationBody & { labels: string[] }>('PATCH', `/conversations/${String(id)}`, { labels })

describe('labels that differ only by case', () => {
  test.each([
    [['Zz', 'zz', 'ZZ'], ['Zz']],
    [
      ['entrega', 'Niño', 'ENTREGA', 'NIÑO'],
      ['entrega', 'Niño'],
    ],
    [
      ['Straße', 'STRASSE', 'new'],
      ['Straße', 'new'],
    ],
    [['Nin\u0303o', 'ni\u00f1o'], ['Nin\u0303o']],
  ])('%j are stored as %j', async (sent, stored) => {
    const account = await freshAccount()
    const { id } = await account.begin()
    expect((await setLabels(account, id, sent)).labels).toEqual(stored)
    expect((await account.get(id)).labels).toEqual(stored)
  })

  test('keep the spelling of the conversation, and are no change', async () => {
    const account = await freshAccount()
    const { id } = await account.begin()
    await setLabels(account, id, ['Delivery', 'paid'])
    const count = async () => (await account.messagesOf(id)).length
    const before = await count()
    expect((await setLabels(account, id, ['DELIVERY', 'Paid'])).labels).toEqual(['Delivery', 'paid'])
    expect(await count()).toBe(before)
    expect((await setLabels(account, id, ['paid', 'DELIVERY', 'late'])).labels).toEqual([
      'paid',
      'Delivery',
      'late',
    ])
    expect((await account.messagesOf(id)).at(-1)?.content).toBe('Test User added late')
  })

  test('are one label after the import of a snapshot', async () => {
    const account = await freshAccount()
    const { id } = await account.begin()
    await setLabels(account, id, ['Zz', 'late'])
    const path = `/_sim/workspaces/${account.fresh.workspace.id}/snapshot`
    const { text } = await account.fresh.call('GET', path)
    const changed = text.replace('"labels":["Zz","late"]', '"labels":["Zz","zz","late","LATE"]')
    expect(changed).not.toBe(text)
    const { status } = await account.fresh.call('PUT', path, { body: JSON.parse(changed) as object })
    expect(status).toBeLessThan(300)
    expect((await account.get(id)).labels).toEqual(['Zz', 'late'])
  })
})

test('labels that differ by accents are two labels', async () => {
  const account = await freshAccount()
  const { id } = await account.begin()
  expect((await setLabels(account, id, ['año', 'Ano'])).labels).toEqual(['año', 'Ano'])
})
