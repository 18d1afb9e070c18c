/** A first call of a workspace as code to copy: with curl, fetch or Python. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { useRequest } from '../api.ts'
import { ROOT, server, type Workspace } from '../server.ts'
import { Copy, ErrorMessage } from './common.tsx'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

interface Target {
  readonly url: string
  readonly header: string
  readonly value: string
}

/** The same call in each language. JSON strings are also strings of JavaScript and Python. */
const LANGUAGES: Readonly<Record<string, (target: Target) => string>> = {
  curl: ({ url, header, value }) => `curl ${quoted(url)} -H ${quoted(`${header}: ${value}`)}`,
  fetch: ({ url, header, value }) =>
    `const response = await fetch(${JSON.stringify(url)}, {
  headers: { ${JSON.stringify(header)}: ${JSON.stringify(value)} },
})
console.log(response.status, await response.json())`,
  Python: ({ url, header, value }) =>
    `import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers={${JSON.stringify(header)}: ${JSON.stringify(value)}},
)
print(urllib.request.urlopen(request).read().decode())`,
}

/** Calls to try: the first one that a key may make. Each works in an empty workspace, too. */
const CALLS = [
  ['crm', '/contacts', 'per_page=2'],
  ['catalog', '/products', 'limit=2'],
] as const

/** The call has `query` instead of its own one if there is one. */
export function ExampleCall({ workspace, query }: { workspace: Workspace; query?: string }) {
  const keys = useRequest(
    async () => (await server().call('listWorkspaceKeys', { path: { id: workspace.id } })).data,
    [workspace.id],
  )
  const [language, setLanguage] = useState('curl')
  const found = CALLS.flatMap(([name, path, few]) => {
    const key = keys.value?.find(({ interfaces }) => interfaces.some((each) => each === '*' || each === name))
    return key ? [{ key: key.key, url: ROOT + INTERFACES[name].basePath + path + '?' + (query ?? few) }] : []
  })
  const [first] = found
  if (keys.problem !== null) return <ErrorMessage text={keys.problem} />
  if (!keys.value) return null
  if (!first) {
    return (
      <p class="empty">
        No key of this workspace works for the CRM, the catalog or payments. Create one with{' '}
        <code>POST /_sim/keys</code>.
      </p>
    )
  }
  const target = { url: first.url, header: 'Authorization', value: `Bearer ${first.key}` }
  const code = LANGUAGES[language]?.(target) ?? ''
  return (
    <div class="example">
      <div class="actions">
        {Object.keys(LANGUAGES).map((name) => (
          <button
            key={name}
            type="button"
            class={name === language ? 'small' : 'small outline'}
            aria-pressed={name === language}
            onClick={() => {
              setLanguage(name)
            }}
          >
            {name}
          </button>
        ))}
        <Copy text={code} what="the call" />
      </div>
      <pre tabIndex={0} aria-label="Example call">
        <code>{code}</code>
      </pre>
    </div>
  )
}
