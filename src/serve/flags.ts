/** The flags of the commands with their environment variables and value parsers. OPERATING.md, "Start". */
import { Command, InvalidArgumentError, Option } from 'commander'
import ipaddr from 'ipaddr.js'
import { DEFAULT_URL } from '@suite-sim/kit/defaultUrl'
import { LOG_LEVELS, type LogLevel } from '@suite-sim/kit/logLevels'
import { SHARD_NAME } from '../state/model/shardName.ts'
import { examples, USUAL_OPTIONS } from '@suite-sim/kit/terminal/help'
import { parseHttpUrl, readingChoices, repeatable, text, token } from '@suite-sim/kit/terminal/flags'
import type { ChosenReadings } from '../state/model/reading.ts'
import { DEFAULT_MAX_WORKSPACE_BYTES, MIN_WORKSPACE_BYTES } from '../state/files/quotaLimits.ts'

const DEFAULT = new URL(DEFAULT_URL)

export interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly db: string
  readonly fixtures: string
  readonly init?: string
  readonly adminToken?: string
  readonly metricsToken?: string
  readonly metrics: 'protected' | 'public'
  readonly allowReset?: boolean
  readonly publicUrl?: string
  readonly tls?: 'self-signed'
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly seed?: string
  readonly shard?: string
  readonly logLevel: LogLevel
  readonly webhookHttpHosts?: readonly string[]
  readonly rateLimits: boolean
  readonly maxWorkspaceBytes: number
  readonly readings?: ChosenReadings
  readonly observed?: string
  readonly prefer?: 'observed'
  readonly trustedProxies?: readonly string[]
  readonly smtpUrl?: string
  readonly satCatalogs?: string
  readonly cors?: readonly string[]
  readonly allowedHosts?: readonly string[]
}

export interface HealthcheckSettings {
  readonly url?: string
  readonly host: string
  readonly port: number
  readonly tls?: 'self-signed'
  readonly tlsCert?: string
}

export interface OpenapiSettings {
  readonly interface?: string
  readonly out?: string
  readonly publicUrl?: string
}

/**
 * The usual options are those of a first server and of a first integration: where it listens, what it starts with, and which
 * receivers, browsers and tunnels reach it. The others are for servers that many share, and for fidelity to one account.
 */
export const serveCommand = (): Command =>
  new Command('serve')
    .description('run the server (the default command)')
    .addOption(portOption().helpGroup(USUAL_OPTIONS))
    .addOption(hostOption().helpGroup(USUAL_OPTIONS))
    .addOption(databaseOption('database file; ":memory:" stores nothing on disk').helpGroup(USUAL_OPTIONS))
    .addOption(
      new Option(
        '--fixtures <name>',
        'data of a new database: "demo", "small", "none", the path or URL of a snapshot, or a file with calls (*.init.yaml)',
      )
        .env('SIM_FIXTURES')
        .default('demo')
        .argParser(text)
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option(
        '--init <folder>',
        'snapshots (*.json, *.json.gz) and calls (*.init.yaml, *.init.json) that run in a new database before the server is ready',
      )
        .env('SIM_INIT')
        .argParser(text)
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option('--admin-token <token>', 'bearer token that calls to the control plane must have')
        .env('SIM_ADMIN_TOKEN')
        .argParser(token)
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option('--metrics-token <token>', 'bearer token that opens the metrics and nothing else')
        .env('SIM_METRICS_TOKEN')
        .argParser(token),
    )
    .addOption(
      new Option('--metrics <access>', '"public" opens the metrics to callers without a token')
        .env('SIM_METRICS')
        .default('protected')
        .argParser(metricsAccess),
    )
    .addOption(
      new Option(
        '--allow-reset [on|off]',
        'whether POST /_sim/reset is allowed; the default is "on", and "off" if other machines can reach the server',
      )
        .env('SIM_ALLOW_RESET')
        .argParser(onOrOff),
    )
    .addOption(publicUrlOption().helpGroup(USUAL_OPTIONS))
    .addOption(tlsCertOption())
    .addOption(
      new Option('--tls-key <file>', 'private key of the certificate, in PEM format')
        .env('SIM_TLS_KEY')
        .argParser(text),
    )
    .addOption(tlsOption())
    .addOption(
      new Option('--seed <text>', 'makes ids deterministic: the same calls get the same ids')
        .env('SIM_SEED')
        .argParser(text)
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option('--shard <name>', 'name of this server among several behind one proxy, such as "s1"')
        .env('SIM_SHARD')
        .argParser(shardName),
    )
    .addOption(
      new Option(
        '--webhook-http-hosts <hosts>',
        'hosts that can receive webhooks over plain http and at private addresses; "*" allows all',
      )
        .env('SIM_WEBHOOK_HTTP_HOSTS')
        .argParser(repeatable(hosts))
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option(
        '--allowed-hosts <hosts>',
        'host names that a server for this machine answers to, such as those of a tunnel; "*" allows all',
      )
        .env('SIM_ALLOWED_HOSTS')
        .argParser(repeatable(hosts))
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option(
        '--cors <origins>',
        'origins of browser apps that can call the interfaces, such as http://localhost:5173; "*" allows all',
      )
        .env('SIM_CORS')
        .argParser(repeatable(origins))
        .helpGroup(USUAL_OPTIONS),
    )
    .addOption(
      new Option('--rate-limits <on|off>', 'whether the interfaces enforce their rate limits with 429')
        .env('SIM_RATE_LIMITS')
        .default(true, 'on')
        .argParser(onOrOff),
    )
    .addOption(
      new Option(
        '--max-workspace-bytes <size>',
        'most bytes of records and stored files in a workspace, such as 500MB or 2GB',
      )
        .env('SIM_MAX_WORKSPACE_BYTES')
        .default(DEFAULT_MAX_WORKSPACE_BYTES, '1GB')
        .argParser(byteCount),
    )
    .addOption(
      new Option(
        '--readings <name=value,...>',
        'readings of the specification for workspaces that choose none; see GET /_sim/readings',
      )
        .env('SIM_READINGS')
        .argParser(readingChoices),
    )
    .addOption(
      new Option('--observed <file>', 'overlay of suite-sim verify: what was observed on the real service')
        .env('SIM_OBSERVED')
        .argParser(text),
    )
    .addOption(
      new Option('--prefer <observed>', 'follow observations that contradict the specification as well')
        .env('SIM_PREFER')
        .choices(['observed']),
    )
    .addOption(
      new Option('--trusted-proxies <networks>', 'proxies whose X-Forwarded-For header is trusted')
        .env('SIM_TRUSTED_PROXIES')
        .argParser(repeatable(networks)),
    )
    .addOption(
      new Option('--smtp-url <url>', 'mail server that receives the e-mails, such as "smtp://localhost:1025"')
        .env('SIM_SMTP_URL')
        .argParser(smtpUrl),
    )
    .addOption(
      new Option(
        '--sat-catalogs <folder>',
        'folder with official catalogs of the Mexican tax authority: c_ClaveProdServ, c_ClaveUnidad, c_CodigoPostal as .csv or .json',
      )
        .env('SIM_SAT_CATALOGS')
        .argParser(text),
    )
    .addOption(
      new Option('--log-level <level>', `level of the log: ${LOG_LEVELS.join(', ')}`)
        .env('LOG_LEVEL')
        .default('info')
        .argParser(logLevel)
        .helpGroup(USUAL_OPTIONS),
    )
    .addHelpText(
      'after',
      examples(
        'serve --port 5000 --fixtures none  # an empty server at another port',
        'serve --db :memory: --seed tests   # the same ids in each run',
      ),
    )

export const healthcheckCommand = (): Command =>
  new Command('healthcheck')
    .description('exit with 0 if a running server is healthy, otherwise with 1')
    .addOption(
      new Option('--url <url>', 'URL of the server; defaults to --host and --port').argParser(parseHttpUrl),
    )
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(tlsCertOption())
    .addOption(tlsOption())
    .addHelpText('after', examples('healthcheck', 'healthcheck --url http://127.0.0.1:5000'))

export const openapiCommand = (): Command =>
  new Command('openapi')
    .description('print the OpenAPI document of all interfaces, or of one')
    .addOption(new Option('--interface <name>', 'only this interface, such as "catalog"').argParser(text))
    .addOption(new Option('--out <file>', 'file to write; defaults to standard output').argParser(text))
    .addOption(publicUrlOption())
    .addHelpText('after', examples('openapi', 'openapi --interface catalog --out catalog.json'))

const VARIABLES = [...serveCommand().options, ...healthcheckCommand().options, ...openapiCommand().options]
  .map((option) => option.envVar)
  .filter((name) => name !== undefined)

/** Unsets empty variables, because compose files set variables to nothing. */
export function unsetEmptyVariables(environment: NodeJS.ProcessEnv, others: readonly string[]): void {
  for (const name of [...VARIABLES, ...others])
    if (environment[name] === '') Reflect.deleteProperty(environment, name)
}

export function databaseOption(description: string): Option {
  return new Option('--db <file>', description).env('SIM_DB').default('data/suite.sqlite').argParser(text)
}

function portOption(): Option {
  return new Option('--port <number>', 'port of the server; 0 picks a free port')
    .env('PORT')
    .default(Number(DEFAULT.port))
    .argParser(port)
}

function hostOption(): Option {
  return new Option('--host <address>', 'address that the server listens on')
    .env('HOST')
    .default(DEFAULT.hostname)
    .argParser((value) => text(value).replace(/^\[([\da-f:.]+)\]$/i, '$1'))
}

function publicUrlOption(): Option {
  return new Option('--public-url <url>', 'URL at which clients reach the server, for links in responses')
    .env('SIM_PUBLIC_URL')
    .argParser(parseHttpUrl)
}

function tlsCertOption(): Option {
  return new Option('--tls-cert <file>', 'certificate for HTTPS, in PEM format; needs --tls-key')
    .env('SIM_TLS_CERT')
    .argParser(text)
}

function tlsOption(): Option {
  return new Option('--tls <self-signed>', 'HTTPS with a certificate that the server makes itself')
    .env('SIM_TLS')
    .argParser(selfSigned)
}

function smtpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new InvalidArgumentError('It must be a URL such as smtp://localhost:1025.')
  }
  return value
}

function port(value: string): number {
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65535) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
  }
  return number
}

function networks(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim())
  if (!names.every((name) => ipaddr.isValid(name) || ipaddr.isValidCIDR(name))) {
    throw new InvalidArgumentError(
      'It must be IP addresses or networks such as 10.0.0.0/8, separated by commas.',
    )
  }
  return names
}

function hosts(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim().toLowerCase())
  if (!names.every((name) => name === '*' || /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(name))) {
    throw new InvalidArgumentError('It must be host names without protocol or port, separated by commas.')
  }
  return names
}

function origins(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim().replace(/\/$/, ''))
  if (!names.every((name) => name === '*' || (URL.canParse(name) && new URL(name).origin === name))) {
    throw new InvalidArgumentError(
      'It must be origins such as http://localhost:5173, separated by commas, or "*".',
    )
  }
  return names
}

function selfSigned(value: string): 'self-signed' {
  if (value !== 'self-signed') {
    throw new InvalidArgumentError(
      'It must be "self-signed"; for a certificate of your own, use --tls-cert and --tls-key.',
    )
  }
  return value
}

const UNITS: Readonly<Record<string, number>> = { '': 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** The most whole gigabytes whose bytes a number holds exactly. */
const MAX_GIGABYTES = Math.floor(Number.MAX_SAFE_INTEGER / 1024 ** 3)

/** Parses "500MB". A unit is a power of 1024. */
function byteCount(value: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15}) ?(KB|MB|GB|)$/i.exec(value) ?? []
  const bytes = digits === '' ? NaN : Number(digits) * (UNITS[unit.toUpperCase()] ?? NaN)
  if (bytes > Number.MAX_SAFE_INTEGER || /^\d{16,} ?(?:KB|MB|GB)?$/i.test(value)) {
    throw new InvalidArgumentError(`It must be at most ${String(MAX_GIGABYTES)}GB.`)
  }
  if (!Number.isSafeInteger(bytes) || bytes < MIN_WORKSPACE_BYTES) {
    throw new InvalidArgumentError('It must be at least 1MB: a number of bytes, or one with KB, MB or GB.')
  }
  return bytes
}

function shardName(value: string): string {
  if (!SHARD_NAME.test(value)) {
    throw new InvalidArgumentError('It must be 1 to 8 lower-case letters and digits, such as s1.')
  }
  return value
}

function onOrOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new InvalidArgumentError('It must be "on" or "off".')
  return value === 'on'
}

function metricsAccess(value: string): ServeSettings['metrics'] {
  if (value !== 'protected' && value !== 'public') {
    throw new InvalidArgumentError('It must be "protected" or "public".')
  }
  return value
}

function logLevel(value: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value)
  if (level === undefined) throw new InvalidArgumentError(`It must be one of ${LOG_LEVELS.join(', ')}.`)
  return level
}
