/** The player in Spanish, from the pairing to the content. */
import { expect, test } from 'vitest'
import { inSpanish } from '../../support/languages.ts'
import { asForm, nextOf, visibleTextOf } from '../../support/payers.ts'
import { freshSignage } from '../../support/signage.ts'

test('a screen is paired and plays in Spanish, and a chosen language stays', async () => {
  const { fresh, ask } = await freshSignage()
  const { call } = fresh
  const base = `/grid/player/${fresh.workspace.id}`
  expect(visibleTextOf(await inSpanish(call, `${base}/`, []))).toContain('Mostrar un código')
  expect(nextOf(await call('GET', `${base}?lang=es`), base)).toBe(`${base}/?lang=es`)
  const codePath = nextOf(await call('POST', `${base}/?lang=es`, asForm({})), `${base}/`)
  expect(codePath).toMatch(/\?lang=es$/)
  const page = await call('GET', codePath)
  const [, code = ''] = /<p class="amount">(\w+)<\/p>/.exec(page.text) ?? []
  expect(visibleTextOf(page)).toContain(`Código de vinculación ${code}`)
  await inSpanish(call, codePath.replace('?lang=es', ''), [code])
  const { id } = await ask<{ id: string }>('POST', '/screens', { pairing_code: code, name: 'Ventana' })
  expect(nextOf(await call('GET', codePath), codePath)).toBe(`${base}/screens/${id}?lang=es`)
  await inSpanish(call, `${base}/screens/${id}`, ['Ventana'])
  expect((await call('GET', `${base}/screens/${id}?lang=es`)).text).toContain('script.js?lang=es')
  expect(nextOf(await call('GET', `${base}/screens/none?lang=es`), `${base}/screens/none`)).toBe(
    `${base}/?lang=es`,
  )
})
