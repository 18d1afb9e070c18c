/** Text search returns the same with the index of large workspaces as without it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '@suite-sim/kit/text/collation'
import { createContact, type Contact } from '../../../../src/state/conversations/contacts.ts'
import { createConversation, type Conversation } from '../../../../src/state/conversations/conversations.ts'
import { createInbox } from '../../../../src/state/conversations/inboxes.ts'
import {
  addMessage,
  findConversationsWithText,
  messages,
  setMessageStatus,
} from '../../../../src/state/conversations/messages.ts'
import { ROWS_WITHOUT_INDEX } from '../../../../src/state/storage/queries/indexes.ts'
import { runsOf } from '../../../../src/state/storage/queries/textSearch.ts'
import type { Workspace } from '../../../../src/state/workspace/workspace.ts'
import { freshApp, type FreshApp } from '../../../support/app.ts'
import { runs } from '../../../support/extent.ts'

interface Talk {
  readonly conversation: Conversation
  readonly contact: Contact
}

function newTalk(workspace: Workspace): Talk {
  const inbox = createInbox(workspace, { name: 'Api', channelType: 'Channel::Api' })
  const contact = createContact(workspace, { name: 'Marta' })
  return { contact, conversation: createConversation(workspace, { inboxId: inbox.id, contact }) }
}

const say = (workspace: Workspace, { conversation, contact }: Talk, content: string) =>
  workspace.write(() =>
    addMessage(workspace, conversation, { content, messageType: 'incoming', sender: { contact } }),
  )

/** A workspace with enough messages to use the index. */
async function large(): Promise<FreshApp & { readonly filled: Talk }> {
  const fresh = await freshApp({ ownApp: true })
  const filled = newTalk(fresh.workspace)
  fresh.workspace.write(() => {
    for (let number = 1; number <= ROWS_WITHOUT_INDEX; number++) {
      say(fresh.workspace, filled, `filling ${String(number)}`)
    }
  })
  return { ...fresh, filled }
}

const hasIndex = ({ app }: FreshApp): boolean =>
  app.workspaces.database.sqlite
    .prepare("SELECT count(*) FROM sqlite_master WHERE name = 'chat_messages_text'")
    .pluck()
    .get() === 1

describe('text search', () => {
  test('finds the same as a full scan, for any spelling', async () => {
    const fresh = await large()
    const { workspace, filled } = fresh
    const talks = Array.from({ length: 6 }, () => newTalk(workspace))
    // A small alphabet, so that much is found; it includes quotes and operators of the index.
    const letters = fc.constantFrom('a', 'b', 'é', 'E', ' ', '"', '*', '日', '😀', 'ß', '\n', '\0')
    const word = fc.string({ unit: letters, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 5 }), word), { maxLength: 8 }),
        word,
        async (said, sought) => {
          for (const [place, content] of said) say(workspace, talks[place] ?? filled, content)
          const all = messages.findAll(
            workspace,
            Array.from({ length: 3000 }, (_, index) => String(index + 1)),
          )
          const holding = all.filter(({ content }) => fold(content ?? '').includes(fold(sought)))
          const found = await findConversationsWithText(workspace, sought, 100)
          expect(new Set(found)).toEqual(new Set(holding.map(({ conversationId }) => conversationId)))
          expect(new Set(found).size).toBe(found.length)
        },
      ),
      { numRuns: runs(60) },
    )
    expect(hasIndex(fresh)).toBe(true)
  })

  test('uses an index only in a large workspace', async () => {
    const fresh = await freshApp({ ownApp: true })
    const talk = newTalk(fresh.workspace)
    say(fresh.workspace, talk, 'Where is my desk?')
    expect(await findConversationsWithText(fresh.workspace, 'DESK', 10)).toEqual([talk.conversation.id])
    expect(hasIndex(fresh)).toBe(false)
  })

  test('returns the newest first, up to the limit', async () => {
    const { workspace } = await large()
    const talks = [newTalk(workspace), newTalk(workspace), newTalk(workspace)]
    for (const talk of talks) say(workspace, talk, 'a needle')
    const [first, second, third] = talks.map(({ conversation }) => conversation.id)
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([third, second, first])
    expect(await findConversationsWithText(workspace, 'needle', 2)).toEqual([third, second])
    expect(await findConversationsWithText(workspace, 'ne', 2)).toEqual([third, second])
  })

  test('finds texts written after the index was created, and no removed ones', async () => {
    const { workspace } = await large()
    const talk = newTalk(workspace)
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([])
    const message = say(workspace, talk, 'a needle')
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([talk.conversation.id])
    workspace.write(() => {
      messages.update(workspace, message, { content: 'a pin' })
    })
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([])
    expect(await findConversationsWithText(workspace, 'a pin', 10)).toEqual([talk.conversation.id])
    workspace.write(() => {
      messages.remove(workspace, message.id)
    })
    expect(await findConversationsWithText(workspace, 'a pin', 10)).toEqual([])
  })

  test('finds no text that was rolled back', async () => {
    const { workspace, app } = await large()
    const talk = newTalk(workspace)
    await findConversationsWithText(workspace, 'needle', 10)
    expect(() =>
      app.workspaces.database.write(() => {
        say(workspace, talk, 'a needle')
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([])
    say(workspace, talk, 'another needle')
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([talk.conversation.id])
  })

  test('finds texts that a reset restored', async () => {
    const { workspace, app, call } = await large()
    say(workspace, newTalk(workspace), 'a needle')
    const { body: fixtures } = await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)
    const { body: made } = await call('POST', '/_sim/workspaces', { body: { name: 'Another', fixtures } })
    const { id } = (made as { workspace: { id: string } }).workspace
    const another = () => app.workspaces.find(id) ?? workspace
    const [found] = await findConversationsWithText(another(), 'needle', 10)
    expect(found).toBeDefined()

    const last = String(ROWS_WITHOUT_INDEX + 1)
    another().write(() => {
      messages.update(another(), messages.get(another(), last), { content: 'a pin' })
    })
    expect(await findConversationsWithText(another(), 'a pin', 10)).toEqual([found])
    expect(await findConversationsWithText(another(), 'needle', 10)).toEqual([])
    expect((await call('POST', `/_sim/workspaces/${id}/reset`)).status).toBe(204)
    expect(await findConversationsWithText(another(), 'needle', 10)).toEqual([found])
    expect(await findConversationsWithText(another(), 'a pin', 10)).toEqual([])
  })

  test('scans all rows for a text that many of them contain', async () => {
    const { workspace, filled } = await large()
    const first = newTalk(workspace)
    say(workspace, first, 'filling again')
    expect(await findConversationsWithText(workspace, 'filling', 10)).toEqual([
      first.conversation.id,
      filled.conversation.id,
    ])
  })

  test('finds texts beyond the first batch of candidates', async () => {
    const { workspace } = await large()
    const [rare, often] = [newTalk(workspace), newTalk(workspace)]
    say(workspace, rare, 'a needle')
    workspace.write(() => {
      for (let number = 1; number <= 1100; number++) say(workspace, often, 'needles')
      // They come later, so that the sample contains none.
      for (let number = 1; number <= 2000; number++) say(workspace, often, 'hay')
    })
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([
      often.conversation.id,
      rare.conversation.id,
    ])
  })

  test('never finds rows of another workspace', async () => {
    const { workspace, tenant } = await large()
    const other = tenant().workspace
    say(other, newTalk(other), 'a needle')
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([])
    expect(await findConversationsWithText(other, 'filling', 10)).toEqual([])
  })

  test('does not search templates', async () => {
    const { workspace, filled, user } = await large()
    workspace.write(() =>
      addMessage(workspace, filled.conversation, {
        content: 'a needle',
        messageType: 'template',
        sender: { user },
      }),
    )
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([])
  })

  test('finds a message once after other changes to it', async () => {
    const { workspace, user } = await large()
    const { conversation } = newTalk(workspace)
    const message = workspace.write(() =>
      addMessage(workspace, conversation, { content: 'a needle', messageType: 'outgoing', sender: { user } }),
    )
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([conversation.id])
    setMessageStatus(workspace, message, 'delivered')
    expect(await findConversationsWithText(workspace, 'needle', 10)).toEqual([conversation.id])
  })
})

test.each([
  ['', null],
  ['ab', null],
  ['a\0bc', null],
  ['abc', '"abc"'],
  ['ab"c', '"ab""" AND "b""c"'],
  ['aaaaaa', '"aaa"'],
  ['a😀bc', '"a😀b" AND "😀bc"'],
])('looks up %j as %s', (sought, runs) => {
  expect(runsOf(sought)).toBe(runs)
})

test('looks up 32 runs of a long text', () => {
  const long = Array.from({ length: 100 }, (_, place) => String.fromCharCode(0x4e00 + place)).join('')
  expect(runsOf(long)?.split(' AND ')).toHaveLength(32)
})
