/** Every operation that takes a form records the request in the request log, and returns a hint for unused fields. */
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../../src/http/openapi/examples.ts'
import { FORM_TYPE } from '../../../src/http/uploads/multipart.ts'
import { publishedOf } from '../../support/published.ts'
import { INTERFACES } from '../../support/subject.ts'
import { freshApp } from '../../support/app.ts'
import { formOf as formWith } from '../../support/forms.ts'

interface Body {
  readonly contentMediaType?: string
  readonly 'x-form'?: Body
  readonly properties?: Readonly<
    Record<
      string,
      {
        readonly contentMediaType?: string
        readonly type?: string
        readonly items?: { readonly contentMediaType?: string }
      }
    >
  >
}

const formOf = (body: Body | undefined): Body | undefined => {
  const form = body?.['x-form'] ?? body
  return form?.contentMediaType === FORM_TYPE ? form : undefined
}

async function formOperations() {
  const all = INTERFACES.map(({ name }) => publishedOf(name))
  return all.flatMap(({ routes, definition }) =>
    routes.flatMap((route) => {
      const form = formOf(route.schema.body)
      return form ? [{ route, form, basePath: definition.basePath }] : []
    }),
  )
}

const hintsOf = async (fresh: Awaited<ReturnType<typeof freshApp>>) => {
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const { body } = await fresh.call('GET', path)
  const [{ id }] = (body as { data: [{ id: string }] }).data
  const entry = (await fresh.call('GET', `${path}/${id}`)).body as {
    status: number
    request: { body: Record<string, unknown> }
    hints: { code: string; message: string }[]
  }
  return entry
}

/** A form with an unknown field and an unknown file in addition to the required ones. */
function sentForm({ properties = {} }: Body) {
  const form = new FormData()
  for (const [name, field] of Object.entries(properties)) {
    if (field.contentMediaType ?? field.items?.contentMediaType) continue
    form.append(name, String(exampleOf(field, 'sent', name)))
  }
  form.append('zzz_text', 'x'.repeat(1000))
  form.append('zzz_file', new Blob(['bytes'], { type: 'text/plain' }), 'lost.txt')
  return form
}

describe('operations that take forms', () => {
  test('log unused fields, up to a limit', async () => {
    const fresh = await freshApp({ fixtures: 'none' })
    const found = await formOperations()
    expect(found.length).toBeGreaterThan(3)
    for (const { route, form, basePath } of found) {
      const { dialect } = await fresh.definition(route.interface)
      const url =
        basePath +
        route.path.replace('{account_id}', String(fresh.workspace.tenantId)).replaceAll(/\{\w+\}/g, '1')
      const request = new Request('http://localhost', { method: 'POST', body: sentForm(form) })
      const header =
        dialect.credential.kind === 'header' ? dialect.credential.header.toLowerCase() : 'authorization'
      await fresh.app.fastify.inject({
        method: route.method as 'POST',
        url,
        headers: {
          'content-type': request.headers.get('content-type') ?? '',
          [header]: dialect.credential.kind === 'bearer' ? `Bearer ${fresh.key}` : fresh.key,
        },
        payload: Buffer.from(await request.arrayBuffer()),
      })
      const { request: logged } = await hintsOf(fresh)
      expect([route.operation.id, logged.body]).toEqual([
        route.operation.id,
        expect.objectContaining({
          zzz_text: 'x'.repeat(200),
          zzz_file: { filename: 'lost.txt', contentType: 'text/plain', size: 5 },
        }),
      ])
    }
  })

  test('report ignored fields with suggestions, and no used ones', async () => {
    const fresh = await freshApp({ fixtures: 'none' })
    const form = new FormData()
    form.append('file', new Blob(['name,email\nAna,ana@example.com\n'], { type: 'text/csv' }), 'contacts.csv')
    form.append('fil', new Blob(['x'], { type: 'text/csv' }), 'lost.csv')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await fresh.app.fastify.inject({
      method: 'POST',
      url: '/crm/v1/contacts/import',
      headers: {
        'content-type': request.headers.get('content-type') ?? '',
        authorization: `Bearer ${fresh.key}`,
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect(answer.statusCode).toBeLessThan(300)
    const { hints } = await hintsOf(fresh)
    expect(hints.filter(({ code }) => code === 'unknown_body_field')).toEqual([
      {
        code: 'unknown_body_field',
        message: 'importContacts has no field fil. The file lost.csv was ignored. Did you mean file?',
      },
    ])
  })

  test('log an incomplete form up to the point where it was refused', async () => {
    const fresh = await freshApp({ fixtures: 'none' })
    const form = formWith({
      file: [
        { filename: 'one.csv', content: 'name\nAna\n' },
        { filename: 'two.csv', content: 'name\n' },
      ],
      note: 'x'.repeat(1000),
      'refused\0': 'y',
    })
    expect((await fresh.at('crm')('POST', '/contacts/import', form)).status).toBe(400)
    expect((await hintsOf(fresh)).request.body).toEqual({
      file: [
        { filename: 'one.csv', contentType: 'text/csv', size: 9 },
        { filename: 'two.csv', contentType: 'text/csv', size: 5 },
      ],
      note: 'x'.repeat(200),
    })
  })

  test('report unused parts of a refused form, and the field that a file is meant for', async () => {
    const fresh = await freshApp({ fixtures: 'none' })
    const form = formWith({ image: { filename: 'a.png', content: 'bytes' }, nme: 'p' })
    const answer = await fresh.at('signage')('POST', '/media', form)
    expect(answer.status).toBe(422)
    expect((await hintsOf(fresh)).hints.filter(({ code }) => code === 'unknown_body_field')).toEqual([
      {
        code: 'unknown_body_field',
        message: 'uploadMedia has no field image. The file a.png was ignored. Did you mean file?',
      },
      {
        code: 'unknown_body_field',
        message: 'uploadMedia has no field nme. It was ignored. Did you mean name?',
      },
    ])
  })

  test('log the size of every file, also of those that are too many', async () => {
    const fresh = await freshApp({ fixtures: 'none' })
    const form = formWith({
      file: [
        { filename: 'one.png', content: 'bytes' },
        { filename: 'two.png', content: 'more bytes' },
      ],
    })
    expect((await fresh.at('signage')('POST', '/media', form)).status).toBe(422)
    expect((await hintsOf(fresh)).request.body).toMatchObject({
      file: [
        { filename: 'one.png', size: 5 },
        { filename: 'two.png', size: 10 },
      ],
    })
  })
})
