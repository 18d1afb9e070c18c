/**
 * The lint rules of this codebase that no package has, each a list of selectors (https://eslint.org/docs/latest/extend/selectors).
 * .oxlintrc.jsonc says where they apply.
 */
const CLOCK =
  'Only packages/kit/src/time/machineClock.ts may read the system time; take the time from the workspace or from there.'
const SQL_TIME =
  'SQL must not use the current time or random values; bind an instant of the workspace or an id.'
const DECLARATION =
  'Write through the declaration of the table (record() or parts() of src/state/storage/records/record.ts), read through it or through query() of src/state/storage/queries/query.ts.'

/** Modules behind the declaration of a table. Of database.ts only the type `Database` may be imported. */
const BEHIND = String.raw`source.value=/\u002f(indexes|prepared|readers|rows|dueJobs)\.ts$/`
const DATABASE = String.raw`source.value=/\u002fdatabase\.ts$/`

const refuses = (message, selectors) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
})

export default {
  meta: { name: 'codebase' },
  rules: {
    /** `new Date()` and `Date()` read the system time. */
    'no-ambient-date': refuses(CLOCK, [
      "NewExpression[callee.name='Date'][arguments.length=0]",
      "CallExpression[callee.name='Date']",
    ]),
    /** The time and the random values of SQLite, which a frozen clock and a seed would not reach. */
    'no-ambient-sql': refuses(SQL_TIME, [
      String.raw`TemplateElement[value.raw=/\bcurrent_(time|date|timestamp)\b|(?<!Math\.)\brandom(blob)?\s*\(/i]`,
      String.raw`TemplateElement[value.raw=/\b(date|time|datetime|julianday|unixepoch|strftime)\s*\(([^)]*['"](now|subsec|subsecond)['"]|\s*\))/i]`,
    ]),
    /** A write that bypasses the declaration gives no new revision, no derived columns, and schedules no due job. */
    'through-declarations': refuses(DECLARATION, [
      'MemberExpression > Identifier.property[name=/^(orm|sqlite|nextRevision|expectJob)$/]',
      'ObjectPattern > Property > Identifier.key[name=/^(orm|sqlite|nextRevision|expectJob)$/]',
      "CallExpression[callee.object.name='orm'][callee.property.name!=/^select(Distinct)?$/]",
      `ImportDeclaration[${BEHIND}]`,
      `ExportNamedDeclaration[${BEHIND}]`,
      `ExportAllDeclaration[${BEHIND}]`,
      `ImportDeclaration[${DATABASE}] > ImportSpecifier[imported.name!='Database']`,
      `ImportDeclaration[${DATABASE}] > ImportNamespaceSpecifier`,
      `ExportNamedDeclaration[${DATABASE}] > ExportSpecifier[local.name!='Database']`,
      `ExportAllDeclaration[${DATABASE}]`,
    ]),
  },
}
