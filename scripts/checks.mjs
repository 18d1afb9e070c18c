/** Checks of the build for code that works in the sources but fails in dist/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import ts from 'typescript'

/** Throws if the loader can't load the bundle. */
export function mustBeLoadable(name, text) {
  mustCompile(name, text)
  mustBeAscii(name, text)
  mustNotImport(name, text)
}

/** For example, a name that the first lines of each bundle declare must not be declared again. */
function mustCompile(name, text) {
  try {
    new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`)
  } catch (error) {
    throw new Error(`${name} does not compile: ${error.message}`, { cause: error })
  }
}

/** The loader reads the bundle as latin1, which needs half the memory and is equal for ASCII only. */
function mustBeAscii(name, text) {
  // oxlint-disable-next-line no-control-regex
  const at = text.search(/[^\x00-\x7f]/)
  if (at >= 0) throw new Error(`${name} contains a non-ASCII character: ${around(text, at)}`)
}

/**
 * A script that is loaded with cached machine code can't import: V8 fails with "a callback was not
 * specified".
 */
function mustNotImport(name, text) {
  if (!text.includes('import')) return
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2023)
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.ImportKeyword) {
      throw new Error(`${name} contains a native import: ${around(text, node.pos)}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

const around = (text, at) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))

/**
 * Throws if a source in a folder refers to an asset that is not at the same relative path from dist/, where all
 * sources become one file.
 */
export function mustFindAssets(root, folder, dist) {
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`)
  for (const name of names.filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(root, name), 'utf8')
    const assets = [...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)].map(([, path]) => path)
    if (text.split('import.meta').length - 1 !== assets.length) {
      throw new Error(`${name}: the build supports import.meta only as new URL('...', import.meta.url)`)
    }
    for (const path of assets) {
      if (!existsSync(join(dist, path))) {
        throw new Error(`${name} refers to ${path}, which is not next to the bundle in dist/`)
      }
    }
  }
}
