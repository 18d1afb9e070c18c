/** Pages in English and Spanish: whether both say the same, and whether a sentence stayed English. */
import { expect } from 'vitest'
import type { Answer, Call, FreshApp } from './app.ts'
import { asForm, withoutIds } from './payers.ts'

/** What pages say the same in both languages: names, and words that are the same. */
const SAME = [
  ...['Suite Simulator', 'English', 'Español', 'Error:', 'Test workspace'],
  ...['RUC', 'DV', 'ITBMS', 'CUFE', 'Subtotal', 'Total'],
]

/** The pieces of text that a reader sees or hears: texts between tags, and attributes with words. */
const piecesOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/>([^<]+)<|\b(?:aria-label|placeholder|alt|title|data-outcome)="([^"]*)"/g)]
    .map(([, between, attribute]) => (between ?? attribute ?? '').replaceAll(/\s+/g, ' ').trim())
    .filter((piece) => piece !== '')

/** Without the data of records, what both pages say must differ. */
export function expectSpanish(spanish: Answer, english: Answer, data: readonly string[]): void {
  expect(spanish.text).toContain('<html lang="es">')
  expect(spanish.headers).toMatchObject({ 'content-language': 'es' })
  expect(english.text).toContain('<html lang="en">')
  expect(english.headers).toMatchObject({ 'content-language': 'en' })
  for (const { headers } of [spanish, english]) expect(headers['vary']).toContain('Accept-Language')
  expect(spanish.status).toBe(english.status)
  const ownWords = (piece: string): string =>
    [...data, ...SAME].reduce((rest, known) => rest.replaceAll(known, ''), withoutIds(piece))
  const said = new Set(piecesOf(english))
  expect(piecesOf(spanish).filter((each) => said.has(each) && /\p{L}{2}/u.test(ownWords(each)))).toEqual([])
  // Both have the same parts.
  expect(piecesOf(spanish)).toHaveLength(piecesOf(english).length)
}

export const SPANISH = { 'accept-language': 'es-PA,es;q=0.9,en;q=0.4' }

/** Opens a page in both languages, or sends it a form that changes nothing, and returns the Spanish one. */
export async function inSpanish(
  call: Call,
  path: string,
  data: readonly string[],
  fields?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const ask = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    fields ? call('POST', path, { ...asForm(fields), headers }) : call('GET', path, { headers })
  const spanish = await ask(SPANISH)
  expectSpanish(spanish, await ask({}), data)
  return spanish
}

/** The e-mails of the workspace, the newest first. */
export async function emailsOf({
  call,
  workspace,
}: FreshApp): Promise<readonly { readonly subject: string; readonly text: string }[]> {
  const { body } = await call('GET', `/_sim/workspaces/${workspace.id}/emails`)
  return (body as { readonly data: readonly { readonly subject: string; readonly text: string }[] }).data
}
