import { describe, expect, test } from 'vitest'
import { activityMachine } from '../../src/state/catalog/machines.ts'
import { controlApp, error } from './app.ts'

describe('state machines', () => {
  test('are listed with their states, moves and fidelity', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/machines')
    expect(answer.status).toBe(200)
    const names = answer.body.data.map(({ name }: { name: string }) => name) as string[]
    expect(names).toEqual(
      expect.arrayContaining(['catalog.product', 'catalog.activity', 'webhooks.delivery']),
    )
    for (const { states, moves, diagram } of answer.body.data) {
      for (const { name, from, to, fidelity } of moves) {
        expect(states).toEqual(expect.arrayContaining([...from, to]))
        expect(diagram).toContain(`--> ${String(to)}: ${String(name)}`)
        expect(['documented', 'assumed']).toContain(fidelity.status)
      }
    }
  })

  test('can be read by name, with a Mermaid diagram', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/machines/catalog.activity')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      name: 'catalog.activity',
      title: 'Activity',
      states: ['pending', 'completed', 'overdue'],
      initial: ['pending'],
      // Without the words of refusals and the ways.
      moves: Object.entries<object>(activityMachine.moves).map(([name, move]) => ({
        name,
        ...move,
        can: undefined,
        way: undefined,
      })),
      diagram: activityMachine.diagram(),
    })
    expect(answer.body.diagram).toMatch(/^stateDiagram-v2\n {2}\[\*\] --> pending\n/)
  })

  test('return 404 for an unknown name', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/machines/catalog.brand')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(error('not_found', 'There is no state machine catalog.brand.'))
  })
})

describe('OpenAPI documents', () => {
  test('of an interface state its base URL, with the host of the request', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/openapi/catalog.json', { headers: { host: 'localhost:4999' } })
    expect(answer.status).toBe(200)
    expect(answer.body.openapi).toMatch(/^3\.1\./)
    expect(answer.body.servers[0].url).toBe('http://localhost:4999/workspace/public/v1')
    expect(answer.body.paths).toHaveProperty(['/products', 'get'])
  })

  test('of all interfaces have full paths', async () => {
    const { sim } = await controlApp()
    const answer = await sim('GET', '/openapi.json', { headers: { host: 'localhost:4999' } })
    expect(answer.status).toBe(200)
    expect(answer.body.servers[0].url).toBe('http://localhost:4999')
    expect(answer.body.paths).toHaveProperty(['/workspace/public/v1/products', 'get'])
    expect(answer.body.paths).toHaveProperty(['/pos/public/v1/webhooks', 'post'])
  })

  test('state the public URL if one is set', async () => {
    const { sim } = await controlApp({ publicUrl: 'https://sim.example.com/' })
    const server = async (path: string) => (await sim('GET', path)).body.servers[0].url as string
    expect(await server('/openapi/pos.json')).toBe('https://sim.example.com/pos/public/v1')
    expect(await server('/openapi.json')).toBe('https://sim.example.com')
  })

  test('state the host that each client used', async () => {
    const { sim } = await controlApp()
    for (const host of ['localhost:4999', '127.0.0.1:4998', 'localhost:4999']) {
      const answer = await sim('GET', '/openapi.json', { headers: { host } })
      expect(answer.body.servers[0].url).toBe(`http://${host}`)
      expect(answer.text).not.toContain('origin.invalid')
    }
  })

  test('of an unknown interface return 404 with the known names', async () => {
    const { sim } = await controlApp()
    const message = async (name: string) => {
      const answer = await sim('GET', `/openapi/${name}.json`)
      expect(answer.status).toBe(404)
      return answer.body.error.message as string
    }
    expect(await message('sales')).toMatch(/^There is no interface sales\. The interfaces are catalog, crm, /)
    // No route matches a name with a line feed.
    expect(await message('%0A')).toContain('There is no operation at /_sim/openapi/%0A.json.')
  })
})
