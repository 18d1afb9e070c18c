/** The import of candidates. Specification part 1, "Recruiting". */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { mustBeUpload, acceptForms } from '../../http/uploads/multipart.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { readSheet } from '../../http/files/sheets/index.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { wordsOf } from '../../http/definition/words.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { imports, MAX_IMPORT_ROWS, startImport } from '../../state/recruiting/imports.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { CandidateSheet } from './candidateColumns.ts'
import { Words } from './shapes/common.ts'
import { ImportForm } from './shapes/importForm.ts'
import { CandidateImport, ImportId } from './shapes/imports.ts'

/** The maximum size of an imported file: 10 MiB. */
const LARGEST_FILE = 10 * 1024 * 1024

export const candidateImport: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Candidates', scope: 'candidates:write' })

  // Only the upload accepts forms.
  await app.register(async (forms) => {
    acceptForms(forms, { file: LARGEST_FILE })
    await forms.register(upload)
  })

  at('/candidates/import/:import_id', { params: ImportId, record: imports }).get({
    id: 'getCandidateImport',
    summary: 'Get the progress of an import of candidates',
    fidelity: documented,
    answers: {
      200: Assumed(
        'The specification does not show the response. The simulator returns the import, as the upload does.',
        CandidateImport.item,
      ),
    },
    run: ({ record, workspace }) => CandidateImport.view(record, workspace),
  })
}

const upload: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Candidates', scope: 'candidates:write' })

  at('/candidates/import').post({
    id: 'importCandidates',
    summary: 'Import candidates',
    description:
      'Imports the rows of a file in order, a hundred per second on the workspace’s clock. The server finds columns by name: name and email (both required), phone, country (a code or a name), city, experience_years, skills and tags (separated by commas, semicolons or bars, or as a JSON list), availability, summary, linkedin_url, portfolio_url and source. It also accepts the headers of Greenhouse, Lever, LinkedIn, Teamtailor and Workable, such as First Name, Candidate Name, E-mail, Email Addresses, Location or Years of experience. It ignores all other columns. columns shows the field of each column.',
    fidelity: documentedBut(
      `Assumed: the columns and the headers of other programs. The first of several e-mail addresses or phone numbers in a cell counts, without invisible characters; warnings lists such addresses. A file that is UTF-8 only in part is refused with the row. A location is a city, a country, or a city followed by a country. A row with the e-mail address of an existing candidate is a duplicate and changes nothing. A file has at most ${String(MAX_IMPORT_ROWS)} rows and 10 MiB. Returns 409 when the workspace is reset during the upload.`,
    ),
    body: ImportForm,
    answers: { 200: CandidateImport.item },
    refuses: ['conflict'],
    async run({ body, workspace, caller, leftovers }) {
      const { generation } = workspace
      const tags = tagsOf(body.tags)
      const sheet = await readSheet('file', mustBeUpload('file', body.file), {
        heavyWork: app.heavyWork,
        leftovers,
        workspace,
      })
      const candidates = new CandidateSheet(sheet)
      const rows = await candidates.rows()
      if (workspace.generation !== generation) {
        refuse(
          'conflict',
          'The workspace was reset, replaced or removed during the upload. Upload the file again.',
        )
      }
      return CandidateImport.view(
        startImport(workspace, caller.user, rows, {
          source: body.source ?? null,
          tags,
          columns: candidates.columns,
        }),
        workspace,
      )
    },
  })
}

const tagsShape = Words(50, ['pool'])

function tagsOf(sent: readonly string[] = []): string[] {
  const tags = sent.flatMap(wordsOf)
  const [problem] = problemsOf(tagsShape, tags)
  if (problem) refuseField('tags', problem.code, `tags: ${problem.message}`)
  return tags
}
