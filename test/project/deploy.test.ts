/**
 * The files of deploy/ for several servers fit the program and each other. The schemas of Kubernetes are not checked here,
 * because no package of the project has them; test/shards runs the configuration of HAProxy.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { serveCommand } from '../../src/serve/flags.ts'
import { headerOf } from '../../src/http/lifecycle/credentials.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { ROOT } from '../support/root.ts'
import { INTERFACES } from '../support/subject.ts'

const DEPLOY = join(ROOT, 'deploy')
const textOf = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

const haproxy = textOf('haproxy/haproxy.cfg')
const NAMES = ['s1', 's2', 's3', 's4']
const VARIABLES = serveCommand().options.map(({ envVar }) => envVar)

// Tests look into files whose shape they assert.
// oxlint-disable-next-line typescript/no-explicit-any
type Yaml = any

describe('the configuration of HAProxy', () => {
  test('finds the workspace in the paths of all pages, in both of its lists', () => {
    const paths = INTERFACES.flatMap(({ pagesPath = [], framedPagesPath = [] }) =>
      [pagesPath, framedPagesPath].flat(),
    ).map((path) => path.slice(1))
    const lists = [...haproxy.matchAll(/path_reg \^\/\(_sim\/workspaces\|([^)]*)\)/g)].map(([, list = '']) =>
      list.split('|'),
    )
    expect(lists).toHaveLength(2)
    for (const list of lists) expect([...list, 'forms/f', 'forms/embed'].toSorted()).toEqual(paths.toSorted())
    expect(haproxy.match(/path_reg \^\/forms\/\(f\|embed\)/g)).toHaveLength(2)
  })

  test('finds the key in the header of each interface', () => {
    for (const { definition } of PUBLISHED) {
      const { credential } = definition.dialect
      if (credential.kind === 'open') throw new Error(`${definition.name} has no header`)
      const header = headerOf(credential)
      const rule = new RegExp(`set-var\\(txn\\.shard\\) req\\.hdr\\(${header}\\)`, 'i')
      expect(haproxy, definition.name).toMatch(rule)
    }
  })

  test('names each shard in the same places', () => {
    const places = NAMES.map((name) =>
      [
        ...haproxy.matchAll(
          new RegExp(`^\\.if defined\\(SIM_${name.toUpperCase()}\\)\\n(.*\\n(?:.*\\n)?)\\.endif`, 'gm'),
        ),
      ].map(([, text = '']) =>
        text
          .replaceAll(name, 's')
          .replaceAll(name.toUpperCase(), 'S')
          .replace(/ id \d/, ''),
      ),
    )
    expect(places[0]).toHaveLength(4)
    for (const each of places) expect(each).toEqual(places[0])
  })
})

describe('the compose file', () => {
  const { services, volumes } = parse(textOf('compose.yaml'), { merge: true })

  test('starts the shards with their names, and only the first with the demo', () => {
    for (const name of NAMES) {
      const { environment, volumes: mounts, build } = services[name]
      expect(environment).toMatchObject({ SIM_SHARD: name, SIM_FIXTURES: name === 's1' ? 'demo' : 'none' })
      expect(Object.keys(environment).filter((each) => !VARIABLES.includes(each))).toEqual([])
      expect(mounts).toEqual([`${name}:/data`])
      expect(volumes).toHaveProperty(name)
      expect(existsSync(join(DEPLOY, build.context, 'Dockerfile'))).toBe(true)
      expect(build.args).toEqual({
        SOURCE_REVISION: '${SOURCE_REVISION:-}',
        SOURCE_DATE: '${SOURCE_DATE:-}',
      })
    }
    const addresses = NAMES.map((name) => [`SIM_${name.toUpperCase()}`, `${name}:4012`])
    expect(services.haproxy.environment).toEqual(Object.fromEntries(addresses))
  })

  test('gives no service more rights than it needs', () => {
    for (const service of Object.values<Yaml>(services))
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    const named = Object.entries<Yaml>(services)
    expect(named.filter(([, { cap_add: added }]) => added).map(([name]) => name)).toEqual(['replicas-owner'])
  })

  test('gives the volume of the replicas to the user of Litestream before Litestream starts', () => {
    const { litestream, 'replicas-owner': owner } = services
    expect(owner).toMatchObject({
      user: '0:0',
      cap_add: ['CHOWN'],
      entrypoint: ['chown', litestream.user, '/replicas'],
      volumes: ['replicas:/replicas'],
    })
    // A service that restarts never completes.
    expect(owner).not.toHaveProperty('restart')
    expect(litestream.volumes).toContain('replicas:/replicas')
    expect(litestream.depends_on).toEqual({
      ...Object.fromEntries(NAMES.map((name) => [name, { condition: 'service_started' }])),
      'replicas-owner': { condition: 'service_completed_successfully' },
    })
  })

  test('takes both tokens from the environment, and leaves the servers time to stop', () => {
    for (const name of NAMES) {
      const { environment, stop_grace_period: grace } = services[name]
      expect(environment).toMatchObject({
        // Without one, each shard would make its own.
        SIM_ADMIN_TOKEN: expect.stringMatching(/^\$\{SIM_ADMIN_TOKEN:\?.+\}$/) as string,
        SIM_METRICS_TOKEN: '${SIM_METRICS_TOKEN:-}',
      })
      // A stop waits up to five seconds for requests and deliveries in flight.
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(5)
    }
  })

  test('mounts files that exist, and replicates the database of each shard', () => {
    const { dbs } = parse(textOf('litestream/litestream.yml'))
    const mounts = [...services.litestream.volumes, ...services.haproxy.volumes] as string[]
    for (const [source = ''] of mounts.map((mount) => mount.split(':')))
      expect(source.startsWith('.') ? existsSync(join(DEPLOY, source)) : source in volumes, source).toBe(true)
    expect(dbs.map(({ path }: Yaml) => path)).toEqual(NAMES.map((name) => `/shards/${name}/suite.sqlite`))
    for (const name of NAMES) expect(mounts).toContain(`${name}:/shards/${name}`)
  })
})

describe('the Kubernetes manifests', () => {
  const kustomization = parse(textOf('kustomization.yaml'))
  const objects: Yaml[] = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(textOf(file)).map((document) => document.toJS()),
  )
  const find = (kind: string, name: string): Yaml =>
    objects.find((each) => each.kind === kind && each.metadata.name === name)
  const shards = find('StatefulSet', 'suite-sim')
  const proxy = find('Deployment', 'suite-sim-proxy')

  test('are all in the kustomization, with the files that they are made from', () => {
    const files = readdirSync(join(DEPLOY, 'kubernetes')).map((file) => `kubernetes/${file}`)
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
    const [{ files: sources }] = kustomization.configMapGenerator
    for (const source of sources) expect(existsSync(join(DEPLOY, source.split('=')[1]))).toBe(true)
    expect(find('Namespace', kustomization.namespace)).toBeDefined()
  })

  test('name the shards by their ordinals, at the addresses that the proxy has', () => {
    const { replicas, ordinals, serviceName, template } = shards.spec
    const { env, ports } = template.spec.containers[0]
    expect(env.find(({ name }: Yaml) => name === 'SIM_SHARD').value).toBe('s$(POD_INDEX)')
    const addresses = Array.from({ length: replicas }, (_, index) => {
      const ordinal = String(Number(ordinals.start) + index)
      const host = `suite-sim-${ordinal}.${String(serviceName)}.${String(kustomization.namespace)}`
      return { name: `SIM_S${ordinal}`, value: `${host}.svc.cluster.local:${String(ports[0].containerPort)}` }
    })
    expect(proxy.spec.template.spec.containers[0].env).toEqual(addresses)
    expect(find('Service', serviceName).spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
    })
  })

  test('set variables that exist, from keys that exist', () => {
    const { env } = shards.spec.template.spec.containers[0]
    const literals = kustomization.configMapGenerator[1].literals.map((each: string) => each.split('=')[0])
    for (const { name, valueFrom } of env.slice(1)) {
      expect(VARIABLES).toContain(name)
      if (valueFrom?.configMapKeyRef) expect(literals).toContain(valueFrom.configMapKeyRef.key)
    }
  })

  test('take both tokens from the secret, and need only that of the administrator', () => {
    const { containers, terminationGracePeriodSeconds: grace } = shards.spec.template.spec
    const secrets = containers[0].env.flatMap(({ name, valueFrom }: Yaml) =>
      valueFrom?.secretKeyRef ? [[name, valueFrom.secretKeyRef]] : [],
    )
    expect(Object.fromEntries(secrets)).toEqual({
      SIM_ADMIN_TOKEN: { name: 'suite-sim', key: 'admin-token' },
      SIM_METRICS_TOKEN: { name: 'suite-sim', key: 'metrics-token', optional: true },
    })
    expect(grace).toBeGreaterThan(5)
  })

  test('probe paths that exist', () => {
    const known = [
      ...CONTROL.routes.map(({ path }) => `/_sim${path}`),
      /monitor-uri (\S+)/.exec(haproxy)?.[1],
    ]
    for (const { spec } of [shards, proxy]) {
      for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(known).toContain(spec.template.spec.containers[0][kind].httpGet.path)
    }
  })

  test('comply with the restricted standard, and select their own pods', () => {
    for (const { spec, metadata } of [shards, proxy]) {
      const pod = spec.template.spec
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext, volumeMounts, resources } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources.limits.memory).toBeDefined()
        const volumes = [
          ...pod.volumes,
          ...(spec.volumeClaimTemplates ?? []).map((each: Yaml) => each.metadata),
        ]
        for (const { name } of volumeMounts) expect(volumes.map((each) => each.name)).toContain(name)
      }
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
      const budget = find('PodDisruptionBudget', metadata.name)
      expect(budget.spec).toEqual({ maxUnavailable: 1, selector: spec.selector })
    }
    for (const { spec } of objects.filter(({ kind }) => kind === 'Service'))
      expect([shards, proxy].map((each) => each.spec.template.metadata.labels)).toContainEqual(spec.selector)
  })
})
