/** Official catalog files of the tax authority replace the built-in selections. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, scratchFolder, start } from '../../support/process.ts'

interface Catalog {
  readonly data: readonly { readonly clave: string; readonly descripcion: string }[]
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(scratchFolder(), 'catalogs')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const here = () => ({ folder: scratchFolder() })

async function serverWith(files: Readonly<Record<string, string>>) {
  const { url } = await start(
    ['--port', '0', '--db', ':memory:', '--sat-catalogs', folderWith(files)],
    here(),
  )
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  return {
    async catalog(path: string) {
      const answer = await fetch(`${url}/einvoicing/v1/sat-catalogs/${path}`, { headers })
      return ((await answer.json()) as Catalog).data
    },
    async issue(changes: { line?: object; receptor?: object }) {
      const body = JSON.stringify({
        type: 'I',
        receptor: {
          rfc: 'URE180429TM6',
          nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
          regimen_fiscal: '601',
          domicilio_fiscal: '86991',
          uso_cfdi: 'G03',
          ...changes.receptor,
        },
        conceptos: [
          {
            clave_prod_serv: '56101504',
            descripcion: 'Silla',
            cantidad: 1,
            clave_unidad: 'H87',
            valor_unitario: 100,
            objeto_imp: '01',
            ...changes.line,
          },
        ],
        metodo_pago: 'PUE',
        forma_pago: '03',
      })
      const answer = await fetch(`${url}/einvoicing/v1/invoices`, { method: 'POST', headers, body })
      const { error } = (await answer.json()) as { error?: { code: string } }
      return error?.code ?? answer.status
    },
  }
}

test('uses official CSV files for searches and for invoices', async () => {
  const { catalog, issue } = await serverWith({
    'c_ClaveProdServ.csv': '\ufeffclave,descripcion,otros\n56101504,Sofás,x\n56101502,"Camas, literas",y\n',
    'c_ClaveUnidad.csv': 'clave,descripcion\nH87,Pieza\nXPP,Pieza embalada\n',
    'c_CodigoPostal.csv': 'codigo,estado\n86991,TAB\n',
  })
  expect(await catalog('products')).toEqual([
    { clave: '56101502', descripcion: 'Camas, literas' },
    { clave: '56101504', descripcion: 'Sofás' },
  ])
  expect(await catalog('products?search=sofas')).toEqual([{ clave: '56101504', descripcion: 'Sofás' }])
  expect(await catalog('units?search=xpp')).toEqual([{ clave: 'XPP', descripcion: 'Pieza embalada' }])

  expect(await issue({})).toBe(201)
  expect(await issue({ line: { clave_unidad: 'XPP' } })).toBe(201)
  expect(await issue({ line: { clave_unidad: 'KGM' } })).toBe('CFDI40165')
  expect(await issue({ line: { clave_prod_serv: '56101500' } })).toBe('CFDI40162')
})

test('replaces one catalog with one JSON file, and keeps the others', async () => {
  const { catalog, issue } = await serverWith({
    'c_ClaveUnidad.json': '[{"id":"XPP","texto":"Pieza embalada"},["H87","Pieza"]]',
  })
  expect(await catalog('units')).toEqual([
    { clave: 'H87', descripcion: 'Pieza' },
    { clave: 'XPP', descripcion: 'Pieza embalada' },
  ])
  expect((await catalog('products?search=56101500'))[0]?.clave).toBe('56101500')
  expect(await issue({ line: { clave_prod_serv: '56101599' } })).toBe(201)
})

test('refuses a postal code that is not in the official file', async () => {
  const { issue } = await serverWith({ 'c_CodigoPostal.json': '[{"id":"06600","estado":"CMX"}]' })
  expect(await issue({})).toBe('CFDI40148')
})

test.each([
  [{}, /at least one of c_ClaveProdServ\.csv, c_ClaveUnidad\.csv, c_CodigoPostal\.csv/],
  [{ 'c_ClaveUnidad.json': '{"H87":"Pieza"}' }, /c_ClaveUnidad\.json: the JSON must be a list/],
  [{ 'c_ClaveUnidad.json': '[' }, /cannot use .*c_ClaveUnidad\.json: .*JSON/],
  [{ 'c_ClaveProdServ.csv': 'a,"b' }, /cannot use .*c_ClaveProdServ\.csv: .*[Qq]uote/],
  [{ 'c_CodigoPostal.csv': 'codigo,estado\n' }, /at least one row must begin with a key/],
])('prints one line and creates nothing for invalid files: %j', async (files, why) => {
  const place = here()
  const args = ['--port', '0', '--db', 'new/a.sqlite', '--sat-catalogs', folderWith(files)]
  const { code, stdout, stderr } = await run(args, place)
  expect(stderr).toMatch(/^suite-sim: cannot use .+\n$/)
  expect(stderr).toMatch(why)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(readdirSync(place.folder)).toEqual([])
})
