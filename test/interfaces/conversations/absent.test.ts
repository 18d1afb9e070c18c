/** The 404 responses to calls that Chatwoot clients make but the specification does not show. */
import { expect, test } from 'vitest'
import { absentCalls } from '../../../src/interfaces/conversations/absent.ts'
import { freshAccount, refusalOf } from '../../support/conversations.ts'

test.each([
  ['GET', '/conversations/1/labels', /PATCH .*\/conversations\/\{id\} sets labels/],
  ['GET', '/inbox_members', /GET \/accounts\/\{account_id\}\/agents lists them/],
  ['POST', '/inbox_members/1', /every agent is a member of every inbox/],
  ['POST', '/webhooks', /POST \/_sim\/workspaces\/\{id\}\/subscriptions/],
  ['POST', '/conversations/1/update_last_seen', /unread_count is 0/],
  ['DELETE', '/conversations/1/messages/1', /cannot be changed or deleted/],
  ['GET', '/custom_attribute_definitions', /needs no definition/],
  ['GET', '/teams/1/team_members', /teams have no members/],
  ['GET', '/conversations/meta', /data\.meta of GET \/accounts\/\{account_id\}\/conversations/],
  ['GET', '/conversations/meta?status=open', /data\.meta of GET/],
  ['PATCH', '/conversations/meta', /data\.meta of GET/],
  ['GET', '/canned_responses', /no canned responses: keep the texts in your program/],
  ['DELETE', '/canned_responses/1', /no canned responses/],
  ['GET', '/contacts/1/notes', /a note is a message with "private": true/],
  ['DELETE', '/contacts/1/notes/1', /a note is a message with "private": true/],
  ['GET', '/contacts/active', /sort=-last_activity_at/],
  ['GET', '/contacts/1/labels', /contacts have no labels/],
  ['POST', '/contacts/1/destroy_custom_attributes', /replaced by null/],
  ['POST', '/agents/bulk_create', /POST \/accounts\/\{account_id\}\/agents invites one agent/],
  ['POST', '/conversations/1/custom_attributes', /set when it is created/],
  ['POST', '/bulk_actions', /one by one/],
  ['GET', '/automation_rules', /no rules, macros or bots exist/],
  ['POST', '/macros/1', /no rules, macros or bots exist/],
  ['POST', '/inboxes/1/set_agent_bot', /an inbox has no bot/],
  ['GET', '/notifications', /notifications are not stored/],
  ['POST', '/conversations/1/messages/1/retry', /a message is not sent again/],
  ['GET', '/profile/nothing', /There is no operation at [^:]*\/conversations, /],
])('the 404 of %s %s names the right call', async (method, path, words) => {
  const { raw } = await freshAccount()
  const answer = await raw(method, path)
  expect(refusalOf(answer)).toEqual([404, expect.stringMatching(words)])
})

test.each(absentCalls.map(({ path, instead }) => [path, instead] as const))(
  '%s is answered with the call to make instead',
  async (path, instead) => {
    const { fresh, account } = await freshAccount()
    const url = path.replace('{account_id}', String(account)).replaceAll(/\{\w+\}/g, '1')
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const [status, message] = refusalOf(await fresh.at('conversations')(method, url))
      expect([status, message]).toEqual([404, `There is no operation at /chat/api/v1${url}: ${instead}.`])
    }
  },
)

test('the 404 of the profile names the list of agents, and that of an unknown path lists what exists', async () => {
  const { fresh, raw } = await freshAccount()
  const profile = await fresh.at('conversations')('GET', '/profile')
  expect(refusalOf(profile)).toEqual([404, expect.stringContaining('GET /accounts/{account_id}/agents')])
  expect(refusalOf(await raw('GET', '/nothing/of/the/kind'))[1]).toMatch(
    /^There is no operation at [^:]*\. Below \/chat\/api\/v1 there are .*\/accounts\/\{account_id\}\/contacts, /,
  )
})

test('an id that does not exist is still answered as an unknown record', async () => {
  const { raw } = await freshAccount()
  for (const path of ['/conversations/999', '/conversations/metas', '/contacts/actives']) {
    expect((await raw('GET', path)).text).toMatch(/There is no (conversation|contact) /)
  }
})

test('another account is refused before the path is looked up', async () => {
  const { fresh } = await freshAccount()
  const { text } = await fresh.at('conversations')('GET', '/accounts/999999/conversations/meta')
  expect(text).toContain('The key does not belong to the account 999999.')
})

test('custom attributes of a contact can be replaced by null, as the hint says', async () => {
  const { ask, contact } = await freshAccount()
  const { id } = await contact({ name: 'Marta', custom_attributes: { plan: 'office' } })
  const { payload } = await ask<{ payload: object }>('PATCH', `/contacts/${String(id)}`, {
    custom_attributes: { plan: null },
  })
  expect(payload).toMatchObject({ custom_attributes: { plan: null } })
})
