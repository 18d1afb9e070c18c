/** The Dockerfile and compose.yaml fit the project. built/container.test.ts runs the steps of the Dockerfile. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/root.ts'
import { allOf, copiedFromProject, last, stages, type Stage } from './dockerfile.ts'

const only = (stage: Stage, name: string): string => {
  const texts = allOf(stage, name)
  expect(texts).toHaveLength(1)
  return texts[0] ?? ''
}

describe('Dockerfile', () => {
  test('copies only files that exist and that .dockerignore allows', () => {
    const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(lines).toContain('*')
    for (const path of stages.flatMap(copiedFromProject)) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(admitted).toContain(path.split('/')[0])
    }
  })

  test('copies only from existing stages', () => {
    const names = stages.flatMap((stage) => / AS (\w+)$/.exec(only(stage, 'FROM'))?.[1] ?? [])
    const copied = stages.flatMap((stage) =>
      allOf(stage, 'COPY').flatMap((text) => /--from=(\w+)/.exec(text)?.[1] ?? []),
    )
    expect(copied.length).toBeGreaterThan(0)
    expect(names).toEqual(expect.arrayContaining(copied))
  })

  test('ends in a slim image with the Node version and system that compiled the native module', () => {
    const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    const [, version = ''] = /^ARG NODE=(.+)$/m.exec(text) ?? []
    expect(version).toMatch(/^24\.\d+\.\d+-bookworm/)
    expect(/^ARG RUNTIME=(.+)$/m.exec(text)?.[1]).toBe(`${version}-slim`)
    expect(stages.map((stage) => only(stage, 'FROM'))).toEqual(['node:${NODE} AS build', 'node:${RUNTIME}'])
  })

  test('runs as a numeric non-root user that owns the data, and declares no volume', () => {
    expect(only(last, 'USER')).toBe('1000:1000')
    // OpenShift runs it as any user of group 0.
    expect(allOf(last, 'RUN')).toContain('install -d -o 1000 -g 0 -m 0770 /data')
    expect(allOf(last, 'VOLUME')).toEqual([])
  })

  test('has labels with the facts of package.json, a list of what it contains, and no package manager', () => {
    const labels = allOf(last, 'LABEL').join(' ')
    const { version, description, license } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Record<string, string>
    expect(labels).toContain('org.opencontainers.image.title="Suite Simulator"')
    expect(labels).toContain(`org.opencontainers.image.version="${version ?? ''}"`)
    expect(labels).toContain(`org.opencontainers.image.description="${description ?? ''}"`)
    expect(labels).toContain(`org.opencontainers.image.licenses="LicenseRef-${license ?? ''}"`)
    expect(allOf(stages[0] ?? [], 'RUN')).toContain('npm run sbom -- sbom.cdx.json')
    expect(allOf(last, 'COPY')).toContain('--from=build /app/sbom.cdx.json ./')
    const removed = allOf(last, 'RUN').join(' ')
    for (const path of ['lib/node_modules', 'bin/npm', 'bin/npx', 'bin/corepack', 'bin/yarn']) {
      expect(removed).toContain(`/usr/local/${path} `)
    }
  })

  test('installs once from a persistent cache', () => {
    const installs = stages.flatMap((stage) => allOf(stage, 'RUN')).filter((text) => text.includes('npm ci'))
    expect(installs).toEqual(['--mount=type=cache,target=/root/.npm npm ci'])
  })

  test('listens on all addresses at its exposed port, and keeps its data in a folder for a volume', () => {
    const variables = only(last, 'ENV').split(/ +/)
    expect(variables).toEqual(
      expect.arrayContaining(['HOST=0.0.0.0', 'PORT=4012', 'SIM_DB=/data/suite.sqlite']),
    )
    expect(only(last, 'EXPOSE')).toBe('4012')
  })

  test('starts the server without a shell, so that it receives signals, and checks its health without a second Node process', () => {
    expect(JSON.parse(only(last, 'CMD'))).toEqual(['node', '/app/dist/main.js', 'serve'])
    // Docker 24, Podman 4 and buildah 1.28 stop at --start-interval.
    expect(only(last, 'HEALTHCHECK')).not.toContain('--start-interval')
    expect(only(last, 'HEALTHCHECK')).toMatch(/ CMD \["bash", "\/usr\/local\/bin\/healthcheck"\]$/)
    expect(allOf(last, 'ENTRYPOINT')).toEqual([])
  })
})

test('compose.yaml keeps the data in a volume, allows the documented calls and leaves time to stop', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  expect(compose).toMatch(/^ {6}- data:\/data$/m)
  expect(compose).toMatch(/^volumes:\n {2}data:$/m)
  // The server makes a token and prints it.
  expect(compose).toMatch(/SIM_ADMIN_TOKEN: \$\{SIM_ADMIN_TOKEN:-\}$/m)
  const calls = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8')
    .split('```')
    .filter((block) => block.startsWith('sh\n'))
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => /^curl\b.*\/_sim\//.test(line))
  expect(calls.length).toBeGreaterThan(3)
  for (const call of calls) expect(call).toContain('-H "Authorization: Bearer $SIM_ADMIN_TOKEN"')
  // The receiver of those calls.
  expect(compose).toMatch(/SIM_WEBHOOK_HTTP_HOSTS:-localhost,/)
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? []
  // A stop waits up to five seconds for requests and deliveries in flight.
  expect(Number(seconds)).toBeGreaterThan(5)
})

test('compose.yaml gives the container no rights that it does not need, and restarts it', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: Record<string, object>
  }
  expect(services['suite-sim']).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp:size=512m'],
    build: {
      context: '.',
      args: { SOURCE_REVISION: '${SOURCE_REVISION:-}', SOURCE_DATE: '${SOURCE_DATE:-}' },
    },
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    restart: 'unless-stopped',
    mem_limit: '1g',
  })
})
