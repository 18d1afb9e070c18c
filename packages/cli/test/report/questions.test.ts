/** The questions of a report: what the vendor can answer without the simulator. */
import { expect, test } from 'vitest'
import type { SubjectKind } from '../../src/report/part.ts'
import { questionAbout, type Subject } from '../../src/report/questions.ts'

test.each<[kind: SubjectKind, place: string, more: Partial<Subject>, question: string]>([
  ['field', 'Link.url', { isRead: true }, 'Do answers have the field `Link.url`?'],
  ['field', 'NewLink.url', {}, 'Can calls have the field `NewLink.url`, and what does it mean?'],
  ['field', 'deal.won.data.won_at', { isRead: true }, 'Do webhooks have the field `deal.won.data.won_at`?'],
  [
    'field',
    'GET /pipelines 200.data[]',
    { isRead: true },
    'What do the entries of `data` have in answers of `GET /pipelines`?',
  ],
  [
    'field',
    'POST /deals body.tags',
    {},
    'Can calls of `POST /deals` have the field `tags`, and what does it mean?',
  ],
  ['value', 'Error.error', { detail: 'late' }, 'Can `Error.error` be `late`?'],
  ['value', 'GET /deals ?sort', { detail: 'name' }, 'Can `GET /deals` be called with `sort=name`?'],
  ['value', 'GET /a 200.state', { detail: 'new' }, 'Can `state` be `new` in answers of `GET /a`?'],
  [
    'default',
    'GET /deals ?page',
    { detail: '1' },
    'Is `GET /deals` without `page` the same as with `page=1`?',
  ],
  ['default', 'NewLink.uses', { detail: '1' }, 'Is `NewLink.uses` `1` if calls leave it out?'],
  ['payload', 'deal.won', {}, 'What do webhooks look like, such as `deal.won`?'],
])('about a %s names its place: %s %j', (kind, place, more, question) => {
  expect(questionAbout({ kind, key: place, place, ...more })).toBe(question)
})
