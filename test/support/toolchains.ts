/** The languages other than JavaScript whose code is tested: programs of Debian that CI installs. */
import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'

interface Toolchain {
  /** A command that succeeds if everything that the tests need is installed. */
  readonly check: readonly [string, ...string[]]
  /** Debian's packages. */
  readonly packages: string
}

export const TOOLCHAINS = {
  Go: { check: ['go', 'version'], packages: 'golang-go' },
  Java: {
    check: ['sh', '-c', 'javac --version && test -f /usr/share/java/junit-platform-console.jar'],
    packages: 'default-jdk-headless junit5',
  },
  PHP: { check: ['php', '-r', 'curl_version();'], packages: 'php-cli php-curl' },
  Python: {
    check: ['/usr/bin/python3', '-c', 'import httpx, pytest'],
    packages: 'python3-pytest python3-httpx',
  },
  Ruby: { check: ['ruby', '--version'], packages: 'ruby' },
} as const satisfies Readonly<Record<string, Toolchain>>

/** Registers tests of a language. Without its programs they are skipped with a message, and fail with CI=true. */
export function describeWith(language: keyof typeof TOOLCHAINS, what: string, tests: () => void): void {
  const { check, packages } = TOOLCHAINS[language]
  const isInstalled = spawnSync(check[0], check.slice(1)).status === 0
  if (!isInstalled) {
    const message = `No ${language} found: its tests did not run; install Debian's ${packages}.`
    if (process.env['CI'] === 'true') throw new Error(message)
    process.stderr.write(`${message}\n`)
  }
  describe.skipIf(!isInstalled)(what, tests)
}
