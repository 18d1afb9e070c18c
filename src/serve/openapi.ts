/** `suite-sim openapi`: prints the OpenAPI documents without a running server. */
import { writeFileSync } from 'node:fs'
import { io } from '@suite-sim/kit/terminal/io'
import { buildApp } from '../app.ts'
import { DEFAULT_URL } from '@suite-sim/kit/defaultUrl'
import type { OpenapiSettings } from './flags.ts'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import { pathTo } from '@suite-sim/kit/terminal/remote'

export async function openapi(settings: OpenapiSettings): Promise<void> {
  const document = `${JSON.stringify(await fetchDocument(settings), null, 2)}\n`
  if (settings.out === undefined) io().stdout.write(document)
  else write(settings.out, document)
}

/** Gets the document from the control plane, so that it is the same as that of a running server. */
async function fetchDocument({ interface: name, publicUrl }: OpenapiSettings): Promise<unknown> {
  const app = await buildApp({ publicUrl: publicUrl ?? null })
  try {
    const response = await app.fastify.inject({
      url: `/_sim${name === undefined ? '/openapi.json' : pathTo('/openapi/{interface}.json', { interface: name })}`,
      headers: { host: new URL(DEFAULT_URL).host },
    })
    const body: unknown = response.json()
    if (response.statusCode !== 200) throw new CommandError(messageOf(body))
    return body
  } finally {
    await app.close()
  }
}

const messageOf = (body: unknown): string => (body as { error: { message: string } }).error.message

function write(file: string, document: string): void {
  try {
    writeFileSync(file, document)
  } catch (error) {
    throw new CommandError(`cannot write ${file}: ${(error as Error).message}`)
  }
}
