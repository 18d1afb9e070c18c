/**
 * Makes calls in a new process, in sequence, and prints each response, so that a response can depend only on their
 * order. Usage: node callProbe.mjs LIBRARY CALLS, where CALLS is a JSON list of {method, path, body?}
 */
const [, , library, calls] = process.argv
const { startSimulator } = await import(library)
const simulator = await startSimulator({ fixtures: 'small' })
const KEYS = ['X-API-Key', 'api_access_token', 'X-INVOICING-TOKEN']
const headers = Object.fromEntries(KEYS.map((name) => [name, 'demo-key']))
headers.authorization = 'Bearer demo-key'

const answers = []
for (const { method, path, body } of JSON.parse(calls)) {
  const init = body
    ? { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    : { headers }
  const answer = await fetch(simulator.url + path, { method, ...init })
  answers.push({
    call: `${method} ${path}`,
    status: answer.status,
    text: (await answer.text()).slice(0, 300),
  })
}
await simulator.close()
console.log(JSON.stringify(answers))
