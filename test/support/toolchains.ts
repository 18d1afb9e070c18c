/** The programs other than Node.js that tests run: programs of Debian that CI installs. */
import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

interface Toolchain {
  /** A command that succeeds if everything that the tests need is installed. */
  readonly check: readonly [string, ...string[]]
  /** The oldest version that works. The output of the check starts with the installed one: "go version go1.19.8". */
  readonly oldest?: string
  /** Debian's packages. */
  readonly packages: string
}

export const TOOLCHAINS = {
  Caddy: { check: ['caddy', 'version'], packages: 'caddy' },
  curl: { check: ['curl', '--version'], packages: 'curl' },
  Go: { check: ['go', 'version'], oldest: '1.19', packages: 'golang-go' },
  HAProxy: { check: ['haproxy', '-v'], packages: 'haproxy' },
  Java: {
    check: ['sh', '-c', 'javac --version && test -f /usr/share/java/junit-platform-console.jar'],
    oldest: '17',
    packages: 'default-jdk-headless junit5',
  },
  PHP: { check: ['php', '-r', 'curl_version();'], packages: 'php-cli php-curl' },
  Python: {
    check: ['/usr/bin/python3', '-c', 'import httpx, pytest'],
    packages: 'python3-pytest python3-httpx',
  },
  Ruby: { check: ['ruby', '--version'], packages: 'ruby' },
  jq: { check: ['sh', '-c', 'jq --version && curl --version'], packages: 'jq' },
  nginx: { check: ['nginx', '-v'], packages: 'nginx-light' },
} as const satisfies Readonly<Record<string, Toolchain>>

const partsOf = (version: string): readonly [number, number] => {
  const [, major, minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [Number(major), Number(minor)]
}

function isRecent(version: string, oldest: string): boolean {
  const [major, minor] = partsOf(version)
  const [oldestMajor, oldestMinor] = partsOf(oldest)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/** Returns what is missing, or null: "No Go 1.19 or later found". */
export function missing(name: string, { check, oldest }: Toolchain): string | null {
  const { status, stdout } = spawnSync(check[0], check.slice(1), { encoding: 'utf8' })
  if (status === 0 && (oldest === undefined || isRecent(stdout, oldest))) return null
  return oldest === undefined ? `No ${name} found` : `No ${name} ${oldest} or later found`
}

/** Registers tests of a program. Without it they are skipped with a message, and fail with CI=true. */
export function describeWith(name: keyof typeof TOOLCHAINS, what: string, tests: () => void): void {
  const reason = missing(name, TOOLCHAINS[name])
  if (reason !== null) {
    const message = `${reason}: its tests did not run; install Debian's ${TOOLCHAINS[name].packages}.`
    if (process.env['CI'] === 'true') throw new Error(message)
    process.stderr.write(`${message}\n`)
  }
  describe.skipIf(reason !== null)(what, tests)
}
