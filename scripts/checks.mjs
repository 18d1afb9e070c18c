/**
 * What the build refuses to put into dist/, because it would work in the sources and fail where users run it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Throws when the bundle is not what its loader takes it for. */
export function mustBeLoadable(name, text) {
  mustBeAscii(name, text)
  mustNotImport(name, text)
}

/** The loader reads the bundle as latin1, which keeps half the memory and is the same for ASCII alone. */
function mustBeAscii(name, text) {
  // oxlint-disable-next-line no-control-regex
  const at = text.search(/[^\x00-\x7f]/)
  if (at >= 0) throw new Error(`${name} holds a character beyond ASCII: ${around(text, at)}`)
}

/** A script that is loaded with kept machine code has no way to import: V8 refuses with "a callback was not specified". */
function mustNotImport(name, text) {
  if (!text.includes('import')) return
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2023)
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.ImportKeyword) {
      throw new Error(`${name} holds a native import: ${around(text, node.pos)}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

const around = (text, at) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))

/**
 * Throws when a file of src/ looks for something beside itself that does not lie at the same place seen from dist/,
 * where all sources become one file.
 */
export function mustFindAssets(src, dist) {
  for (const name of readdirSync(src, { recursive: true }).filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(src, name), 'utf8')
    const assets = [...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)].map(([, path]) => path)
    if (text.split('import.meta').length - 1 !== assets.length) {
      throw new Error(`src/${name}: the build knows new URL('...', import.meta.url) alone`)
    }
    for (const path of assets) {
      if (!existsSync(join(dist, path))) {
        throw new Error(`src/${name} looks for ${path}, which does not lie beside the bundle in dist/`)
      }
    }
  }
}
