/**
 * Scaffolds an interface or an operation from scripts/templates, with its tests. Validates names before it
 * writes anything.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const USAGE = `Usage:
  npm run new -- interface NAME
      NAME is in kebab-case: gift-cards
  npm run new -- operation INTERFACE RESOURCE OPERATION-ID METHOD PATH
      RESOURCE is a file of src/interfaces/INTERFACE; PATH is relative to the base path:
      operation catalog products archiveProduct POST '/products/{id}/archive'`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TEMPLATES = join(ROOT, 'scripts/templates')
const NAMES = 'packages/kit/src/interfaceNames.ts'
const APP = 'src/app.ts'
const TABLE = 'test/contract/operations.tsv'
const LISTS = 'src/http/openapi/fidelity/documented'

/** Wrong arguments: the message, then the usage, and the exit code 2. */
class Misuse extends Error {}

const read = (file) => readFileSync(join(ROOT, file), 'utf8')

/** Replaces {{names}} by their values. */
const fillIn = (text, values) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name) => {
    if (!(name in values)) throw new Error(`no value for {{${name}}}`)
    return values[name]
  })

/** Replaces the one match; without a match, the file has changed its layout. */
function replaceOnce(file, text, pattern, put) {
  if (!pattern.test(text)) throw new Error(`${file} does not match ${pattern}: add the line by hand`)
  return text.replace(pattern, put)
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const namesOfInterfaces = () => [...read(NAMES).matchAll(/^ {2}'([\w-]+)',$/gm)].map(([, name]) => name)

/** Returns the texts of new and changed files, by path. */
function newInterface(name) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Misuse(
      `NAME must be in kebab-case, such as gift-cards, and have at most 40 characters; it is "${name}"`,
    )
  const reserved = [
    ...namesOfInterfaces(),
    'control',
    'files',
    'webhooks',
    'users',
    'workspace',
    'counters',
    'format',
  ]
  const folders = [`src/interfaces/${name}`, `src/state/${name}`, `test/interfaces/${name}`]
  const existing = folders.find((folder) => existsSync(join(ROOT, folder)))
  if (reserved.includes(name) || existing)
    throw new Misuse(`NAME must be new; "${name}" is ${existing ? `the folder ${existing}` : 'taken'}`)
  const camel = name.replace(/-(\w)/g, (_all, letter) => letter.toUpperCase())
  const values = {
    name,
    camel,
    Pascal: capitalized(camel),
    title: capitalized(name.replaceAll('-', ' ')),
    snake: name.replaceAll('-', '_'),
  }
  const from = join(TEMPLATES, 'interface')
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const file = fillIn(path.slice(from.length + 1).replace(/\.template$/, ''), values)
      return [file, fillIn(readFileSync(path, 'utf8'), values)]
    })
  const app = replaceOnce(
    APP,
    replaceOnce(
      APP,
      read(APP),
      /(import \{[^}]*\} from '\.\/interfaces\/[\w-]+\/index\.ts'\n)(?!import \{[^}]*\} from '\.\/interfaces)/,
      (line) => `${line}import { ${camel} } from './interfaces/${name}/index.ts'\n`,
    ),
    /(const DEFINITIONS[^{]*\{\n[^}]*)\}/,
    (_all, definitions) => `${definitions}  ${camel === name ? name : `'${name}': ${camel}`},\n}`,
  )
  const rows = ['GET\t/items\t\t~200', 'GET\t/items/{id}\t\t~200', 'POST\t/items\t\t~201']
  return new Map([
    ...files,
    [APP, app],
    [NAMES, replaceOnce(NAMES, read(NAMES), /\n\] as const/, (end) => `\n  '${name}',${end}`)],
    [TABLE, `${read(TABLE).trimEnd()}\n${rows.map((row) => `${name}\t${row}\n`).join('')}`],
  ])
}

/** Converts "/products/:id" to the form of the table and the documents. */
const withBraces = (path) => path.replace(/:(\w+)/g, '{$1}')

const withoutNames = (path) => path.replace(/\{\w+\}/g, '{}')

/** Adds an import of `name` from `module`. */
function withImport(text, name, module) {
  const line = new RegExp(`^import \\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}'$`, 'm')
  const found = line.exec(text)
  if (!found) return text.replace(/^import /m, `import { ${name} } from '${module}'\nimport `)
  if (new RegExp(`\\b${name}\\b`).test(found[1])) return text
  return text.replace(line, (_all, names) => `import { ${name}, ${names.trim()} } from '${module}'`)
}

function newOperation(name, resource, id, METHOD, path) {
  if (!namesOfInterfaces().includes(name))
    throw new Misuse(`INTERFACE must be one of ${namesOfInterfaces().join(', ')}; it is "${name}"`)
  const folder = `src/interfaces/${name}`
  const sources = readdirSync(join(ROOT, folder), { recursive: true }).filter((file) => file.endsWith('.ts'))
  const texts = new Map(sources.map((file) => [file, read(join(folder, file))]))
  const resources = sources.filter((file) => texts.get(file).includes(': Resource = async (app) => {'))
  const file = `${resource}.ts`
  if (!resources.includes(file)) {
    const known = resources.map((each) => each.replace(/\.ts$/, '')).join(', ')
    throw new Misuse(`RESOURCE must be one of ${known}; it is "${resource}"`)
  }
  if (!/^[a-z][A-Za-z0-9]{2,59}$/.test(id))
    throw new Misuse(`OPERATION-ID must be in camelCase; it is "${id}"`)
  if ([...texts.values()].some((text) => text.includes(`id: '${id}'`)))
    throw new Misuse(`OPERATION-ID must be new in ${name}; "${id}" exists`)
  const test = `test/interfaces/${name}/${id}.test.ts`
  if (existsSync(join(ROOT, test))) throw new Misuse(`OPERATION-ID must be new; ${test} exists`)
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(METHOD))
    throw new Misuse(`METHOD must be GET, POST, PUT, PATCH or DELETE; it is "${METHOD}"`)
  if (!/^(\/(?:[\w.-]+|\{[A-Za-z]\w*\}))+$/.test(path))
    throw new Misuse(
      `PATH must begin with / and have its parameters in braces, /products/{id}; it is "${path}"`,
    )

  const lines = read(TABLE).trimEnd().split('\n')
  const rowOf = (line) => {
    const [of, method, at] = line.split('\t')
    return { of, method, at }
  }
  const own = lines.filter((line) => rowOf(line).of === name)
  const same = own.find(
    (line) => rowOf(line).method === METHOD && withoutNames(rowOf(line).at) === withoutNames(path),
  )
  if (same) throw new Misuse(`METHOD and PATH must be new in ${name}; ${METHOD} ${path} exists`)

  const text = texts.get(file)
  const [, body] = /: Resource = async \(app\) => \{\n([\s\S]*?)\n\}\n/.exec(text)
  // at('/products/:id', { params: ProductId, record: products }), directly or as a constant
  const paths = [...body.matchAll(/(?:const (\w+) = )?\bat\(\s*'([^']+)'(?:,\s*(\{[^}]*\}))?/g)].map(
    ([, constant, at, options]) => ({ constant, at, options }),
  )
  const [, lastConstant, lastAt, lastMethod] =
    [...body.matchAll(/^ {2}(?:(\w+)|at\(\s*'([^']+)'[\s\S]*?\))\s*\.(get|post|put|patch|delete)\(\{$/gm)].at(
      -1,
    ) ?? []
  const lastPath = lastAt ?? paths.find(({ constant }) => constant === lastConstant)?.at ?? ''
  const last = own
    .filter(
      (line) =>
        rowOf(line).method === lastMethod?.toUpperCase() && withBraces(lastPath).endsWith(rowOf(line).at),
    )
    .toSorted((one, other) => rowOf(other).at.length - rowOf(one).at.length)[0]
  if (!last)
    throw new Error(
      `${folder}/${file} writes its paths in another way than ${TABLE}: add the operation by hand`,
    )
  const before = withBraces(lastPath).slice(0, -rowOf(last).at.length)
  const route = (before + path).replace(/\{(\w+)\}/g, ':$1')

  const names = [...route.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
  // A path with the same parameters has a schema whose examples are a record of the demo.
  const known = paths.find(
    ({ at, options }) =>
      options && [...at.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter).join() === names.join(),
  )
  const examples = names.map((each) => `${each}: Type.String({ examples: ['one'] })`)
  const options = known?.options ?? `{ params: Type.Object({ ${examples.join(', ')} }) }`
  const looksUp = names.length > 0 && options.includes('record')
  const values = {
    name,
    id,
    METHOD,
    path,
    route,
    method: METHOD.toLowerCase(),
    summary: capitalized(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
    options: names.length > 0 ? `, ${options}` : '',
    schema: looksUp ? '{ id: Type.String() }' : '{ success: Type.Literal(true) }',
    run: looksUp ? '({ record }) => ({ id: record.id })' : '() => ({ success: true })',
    answer: looksUp ? '{ id: expect.any(String) as string }' : '{ success: true }',
  }
  const added = fillIn(readFileSync(join(TEMPLATES, 'operation.ts.template'), 'utf8'), values)
  const withRoute = text.replace(body, () => `${body}\n\n${added.trimEnd()}`)
  const withImports = withImport(
    withImport(withRoute, 'assumed', '../../state/model/fidelity.ts'),
    'Type',
    '@sinclair/typebox',
  )
  const rows = lines.flatMap((line) =>
    line === last ? [line, `${name}\t${METHOD}\t${path}\t\t~200`] : [line],
  )
  const list = `${LISTS}/${name}.json`
  return new Map([
    [`${folder}/${file}`, withImports],
    ...(existsSync(join(ROOT, list)) ? [[list, withFact(list, `${METHOD} ${withBraces(route)}`)]] : []),
    [test, fillIn(readFileSync(join(TEMPLATES, 'operation.test.ts.template'), 'utf8'), values)],
    [TABLE, `${rows.join('\n')}\n`],
  ])
}

/** Adds an operation to the text of a list of facts. The other lines stay as people wrote them. */
const withFact = (file, operation) =>
  replaceOnce(
    file,
    read(file),
    /^( {2}"operations": \{)(?:\}|\n([\s\S]*?)\n {2}\})/m,
    (_all, start, others) =>
      `${start}\n${others === undefined ? '' : `${others},\n`}    ${JSON.stringify(operation)}: {}\n  }`,
  )

const COMMANDS = { interface: [newInterface, 1], operation: [newOperation, 5] }

function main([command, ...args]) {
  const [make, count] = Object.hasOwn(COMMANDS, command ?? '') ? COMMANDS[command] : []
  if (!make) throw new Misuse(`the command must be interface or operation; it is "${command ?? ''}"`)
  if (args.length !== count)
    throw new Misuse(`${command} must have ${String(count)} arguments; it has ${String(args.length)}`)
  const files = [...make(...args)]
  for (const [file, text] of files) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true })
    writeFileSync(join(ROOT, file), text)
    console.log(file)
  }
  const formatter = join(ROOT, 'node_modules/oxfmt/bin/oxfmt')
  const sources = files.map(([file]) => file).filter((file) => file !== TABLE)
  const { status, stderr } = spawnSync(process.execPath, [formatter, ...sources], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`oxfmt failed: ${stderr}`)
  const tests = args[0]
  console.log(`
Next:
  npm run generate                               the migration and the generated pages
  npx vitest run --project simulator test/interfaces/${tests}
Then replace the scaffold by what the specification says, add its rows to ${TABLE} (~ marks what it does not show),
and add what it shows to the list of the interface in ${LISTS}.`)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  const isMisuse = error instanceof Misuse
  console.error(isMisuse ? `${error.message}\n\n${USAGE}` : error.message)
  process.exitCode = isMisuse ? 2 : 1
}
