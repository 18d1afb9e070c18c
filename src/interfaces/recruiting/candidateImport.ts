/** The import of candidates. Specification part 1, "Recruiting". */
import type { Resource } from '../../http/definition.ts'
import { mustBeUpload, takeForms } from '../../http/multipart.ts'
import { operationsOf } from '../../http/operation.ts'
import { readSheet } from '../../http/sheets/index.ts'
import { problemsOf } from '../../http/validation.ts'
import { wordsOf } from '../../http/words.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { imports, MAX_IMPORTED, startImport } from '../../state/recruiting/imports.ts'
import { refuse, refuseField } from '../../state/refusal.ts'
import { CandidateSheet } from './candidateColumns.ts'
import { Words } from './schemas/common.ts'
import { CandidateImport, ImportForm, ImportId } from './schemas/imports.ts'
import { importView } from './views.ts'

/** Bytes that an imported file may have: 10 MiB. */
const LARGEST_FILE = 10 * 1024 * 1024

const importOperation = operationsOf({ tag: 'Candidates', scope: 'candidates:write' })

export const candidateImport: Resource = async (app) => {
  // Forms are taken here alone.
  await app.register(async (forms) => {
    takeForms(forms, { file: LARGEST_FILE })
    await forms.register(upload)
  })

  app.get(
    '/candidates/import/:import_id',
    {
      schema: { params: ImportId },
      config: importOperation({
        id: 'getCandidateImport',
        summary: 'Get how far an import of candidates has come',
        fidelity: documentedBut('Assumed: the answer is the run, as its beginning is answered.'),
        answers: { 200: CandidateImport },
      }),
    },
    ({ params, workspace }) => importView(imports.get(workspace, params.import_id), workspace),
  )
}

const upload: Resource = async (app) => {
  app.post(
    '/candidates/import',
    {
      schema: { body: ImportForm },
      config: importOperation({
        id: 'importCandidates',
        summary: 'Import candidates',
        description:
          'Takes the rows of a file in their order, a hundred a second on the clock of the workspace. Columns are found by name: name and email, which every row needs, phone, country (a code or a name), city, experience_years, skills and tags (separated by commas or semicolons), availability, summary, linkedin_url, portfolio_url, source; also by the headers that Greenhouse, Lever, LinkedIn, Teamtailor and Workable write, such as First Name, Candidate Name, E-mail, Email Addresses, Location or Years of experience. Any other column is passed over, and columns says which column went where.',
        fidelity: documentedBut(
          `Assumed: the columns and the headers of other programs; that of several addresses or phone numbers in one cell the first is taken, and that a location is a city, a country, or both behind each other; that a row whose e-mail address a candidate has already is a duplicate and changes nothing; that a file has at most ${String(MAX_IMPORTED)} rows and 10 MiB; a reset of the workspace meanwhile is a conflict.`,
        ),
        answers: { 200: CandidateImport },
        refuses: ['conflict'],
      }),
    },
    async ({ body, workspace, caller, leftovers }) => {
      const { generation } = workspace
      const tags = tagsOf(body.tags)
      const sheet = await readSheet('file', mustBeUpload('file', body.file), {
        heavyWork: app.heavyWork,
        leftovers,
      })
      const candidates = new CandidateSheet(sheet)
      const rows = await candidates.rows()
      if (workspace.generation !== generation) {
        refuse('conflict', 'The workspace was reset, replaced or removed while the file was read.')
      }
      return importView(
        startImport(workspace, caller.user, rows, {
          source: body.source ?? null,
          tags,
          columns: candidates.columns,
        }),
        workspace,
      )
    },
  )
}

const tagsShape = Words(50, ['pool'])

function tagsOf(sent: readonly string[] = []): string[] {
  const tags = sent.flatMap(wordsOf)
  const [problem] = problemsOf(tagsShape, tags)
  if (problem) refuseField('tags', problem.code, `tags: ${problem.message}`)
  return tags
}
