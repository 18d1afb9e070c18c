/** What the linter asks for: typescript-eslint's strictest type-aware rules, and the house rules of DESIGN. */
import eslint from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

const clock = 'Only src/state/clock.ts asks for the time; take it from the workspace or from clock.ts.'
const reading = 'Only src/state/clock.ts reads instants, where the place that they are sent from is.'
const chance = 'Only src/state/ids.ts draws at random; take ids and chance from the workspace or from ids.ts.'

/** Whatever tells the time or draws at random by itself. Everything seeded or frozen would leak through it. */
const ambient = {
  properties: [
    { object: 'Date', property: 'now', message: clock },
    { object: 'performance', property: 'now', message: clock },
    { object: 'performance', property: 'timeOrigin', message: clock },
    { object: 'process', property: 'hrtime', message: clock },
    { object: 'process', property: 'uptime', message: clock },
    { object: 'DateTime', property: 'now', message: clock },
    { object: 'DateTime', property: 'local', message: clock },
    { object: 'DateTime', property: 'fromISO', message: reading },
    { object: 'Date', property: 'parse', message: reading },
    { object: 'Math', property: 'random', message: chance },
    { object: 'crypto', property: 'randomUUID', message: chance },
    { object: 'crypto', property: 'getRandomValues', message: chance },
  ],
  syntax: [
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
    { selector: "CallExpression[callee.name='Date']", message: clock },
  ],
  imports: [
    { name: 'nanoid', message: chance },
    { name: 'node:perf_hooks', message: clock },
    ...['node:crypto', 'crypto'].map((name) => ({
      name,
      allowImportNames: [
        'createHash',
        'createHmac',
        'createPrivateKey',
        'KeyObject',
        'sign',
        'timingSafeEqual',
      ],
      message: chance,
    })),
  ],
}

const noAmbientTimeOrChance = {
  'no-restricted-properties': ['error', ...ambient.properties],
  'no-restricted-syntax': ['error', ...ambient.syntax],
  'no-restricted-imports': ['error', { paths: ambient.imports }],
}

const declaration =
  'Write through the declaration of the table (record() or parts() of src/state/record.ts), read through it or through query() of src/state/query.ts.'

/**
 * Ways around the declaration of a table: what is written by them has no new revision, no derived columns, and what falls
 * due by it stays asleep.
 */
const throughDeclarations = {
  ...noAmbientTimeOrChance,
  'no-restricted-syntax': [
    'error',
    ...ambient.syntax,
    ...['MemberExpression > Identifier.property', 'ObjectPattern > Property > Identifier.key'].map(
      (selector) => ({
        selector: `${selector}[name=/^(orm|sqlite|nextRevision|expectJob)$/]`,
        message: declaration,
      }),
    ),
    {
      selector: "CallExpression[callee.object.name='orm'][callee.property.name!=/^select(Distinct)?$/]",
      message: declaration,
    },
  ],
  'no-restricted-imports': [
    'error',
    {
      paths: ambient.imports,
      patterns: [
        {
          regex: '/(indexes|prepared|reading|rows|due)\\.ts$',
          message: declaration,
        },
        {
          regex: '/database\\.ts$',
          allowImportNames: ['Database'],
          message: declaration,
        },
      ],
    },
  ],
}

export default defineConfig(
  // Examples are compiled and run against the package (test/project/examples.test.ts).
  globalIgnores(['dist/', 'data/', 'coverage/', 'examples/']),
  eslint.configs.recommended,
  // No expression takes longer than in proportion to its text, wherever in the text it may begin.
  {
    files: ['src/**/*.{ts,tsx}', 'scripts/**/*.mjs'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignoreSticky: false, ignorePartial: false },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      // A plugin of Fastify is async by its type, whether or not it has anything to wait for.
      '@typescript-eslint/require-await': 'off',
      // Fastify's reply can be waited for, and its chained setters say so although nobody has to.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'fastify', name: ['code', 'type', 'header', 'send'] },
          ],
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A parameter that the caller fills in says what it expects of the other side: `before<{ id: string }>(...)`.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // What is taken out of an object so that the rest goes on without it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // What an answer holds is what the test is there to find out, and the published document checks all of it.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // What a test takes out of its surroundings are functions, not methods that need their object.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    // What runs in browsers has their clock.
    ignores: ['src/state/clock.ts', 'src/state/ids.ts', 'src/dashboard/**'],
    rules: noAmbientTimeOrChance,
  },
  { files: ['src/state/*/**/*.ts'], rules: throughDeclarations },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'fetch',
          'performance',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'Buffer',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { process: 'readonly', __filename: 'readonly', __dirname: 'readonly' },
    },
  },
)
