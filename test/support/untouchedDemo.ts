/** Sends the published examples to a demo workspace that the examples before have not changed. */
import { expect } from 'vitest'
import { everyDocument, type PublishedDocument } from './documents.ts'
import { buildApp } from './subject.ts'
import { exampleRequest } from './verbatim.ts'

export const KEY = 'demo-key'

/** Its example names a directory of the reader's machine; see test/control/server/backup.test.ts. */
export const BACKUP = 'backUp'

export const successesOf = (responses: object): number[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300)

export async function untouchedDemo() {
  const app = await buildApp({ fixtures: 'demo', rateLimits: false })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })

  /** The path that undoes the examples sent since the last reset; null if they only read. */
  let undoing: string | null = null

  /** Resets the demo workspace after an example of an interface, and the whole server after one of the control plane. */
  async function reset(): Promise<void> {
    if (undoing === null) return
    const { status } = await fetch(address + undoing, { method: 'POST' })
    expect(status).toBe(204)
    undoing = null
  }

  return {
    address,
    documents: everyDocument(address),
    reset,
    close: () => app.close(),

    /** Sends an example to the untouched demo. */
    async send(url: string, { name }: PublishedDocument, init: RequestInit): Promise<Response> {
      await reset()
      if (init.method !== 'GET') undoing = name === 'control' ? '/_sim/reset' : '/_sim/workspaces/demo/reset'
      return fetch(url, init)
    },

    /** Must be called if a call by other means may have changed the demo. */
    isChanged(): void {
      undoing ??= '/_sim/workspaces/demo/reset'
    },

    /** The operations that have an example, with its request. */
    examplesOf: ({ document, operations }: PublishedDocument) =>
      operations.flatMap((each) => {
        if (each.operation.operationId === BACKUP) return []
        const request = exampleRequest(document, each, KEY)
        return request ? [[each.title, each, request] as const] : []
      }),
  }
}
