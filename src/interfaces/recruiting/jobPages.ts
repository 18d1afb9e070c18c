/**
 * The public pages of vacancies with an application form, and the rooms of interviews. All are assumed. The form does the
 * same as the trigger recruiting.candidate.apply, and opening a page counts as a view. Invalid input gets a 422, a refused
 * application a 409, both with the page.
 */
import type { FastifyReply } from 'fastify'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { areProblems } from '../../http/webPages/formFields.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { acceptForms } from '../../http/uploads/multipart.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { goTo, sendPage } from '../../http/webPages/webPages.ts'
import { amountInWords, momentInWords } from '../../http/schemas/wording.ts'
import { countryNameIn } from '../../state/shared/countries.ts'
import { apply } from '../../state/recruiting/applications.ts'
import { candidates } from '../../state/recruiting/candidates.ts'
import { interviews } from '../../state/recruiting/interviews.ts'
import { timeInWords } from '../../state/recruiting/interviewTimes.ts'
import { WITH_PAGE } from '../../state/recruiting/machines.ts'
import { countViews, vacancies, vacancyWithSlug, type Vacancy } from '../../state/recruiting/vacancies.ts'
import { refuse, Refusal } from '../../state/model/refusal.ts'
import { storeFiles } from '../../state/shared/storedFiles.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import {
  applyForm,
  APPLY_FIELDS,
  MAX_CV_SIZE,
  readApplyForm,
  type ReadApplication,
  type ShownForm,
} from './applyForm.ts'
import { JOB_TEXTS } from './jobTexts.ts'

interface OfVacancy {
  Params: { slug: string }
}

const vacancyPages: Resource = async (pages) => {
  pages.get<OfVacancy>('/:slug', ({ params, workspace, method }, reply) => {
    const vacancy = publicVacancy(workspace, params.slug)
    if (method === 'GET' && vacancy.status === 'published') countViews(workspace, vacancy, 1)
    showVacancy(reply, workspace, vacancy)
  })

  pages.get<OfVacancy>('/:slug/applied', ({ params, workspace }, reply) => {
    const { title } = publicVacancy(workspace, params.slug)
    sendPage(reply, {
      title: say`${PAGE_TEXTS.thanks} – ${title}`,
      body: html`<div class="state good">
        <h1>${JOB_TEXTS.thanks}</h1>
        <p>${title}, ${workspace.name}</p>
        <p class="quiet">${JOB_TEXTS.received}</p>
      </div>`,
    })
  })
}

const applyPages: Resource = async (pages) => {
  acceptForms(pages, { file: MAX_CV_SIZE }, APPLY_FIELDS)

  pages.post<OfVacancy>('/:slug', async (request, reply) => {
    const { workspace, params } = request
    const vacancy = publicVacancy(workspace, params.slug)
    const { typed, read } = await readApplyForm(request.body)
    if (areProblems(read)) {
      showVacancy(reply, workspace, vacancy, { typed, problems: read }, 422)
    } else if (await tryToApply(workspace, vacancy, read)) {
      goTo(reply, `${encodeURIComponent(vacancy.slug)}/applied`)
    } else {
      showVacancy(reply, workspace, publicVacancy(workspace, params.slug), { typed }, 409)
    }
    return reply
  })
}

const rooms: Resource = async (pages) => {
  pages.get<{ Params: { interview_id: string } }>('/rooms/:interview_id', ({ params, workspace }, reply) => {
    const interview = interviews.get(workspace, params.interview_id)
    if (interview.type !== 'video_platform') refuse('not_found', 'No room exists at this address.')
    const { title } = vacancies.get(workspace, interview.vacancyId)
    const { name } = candidates.get(workspace, interview.candidateId)
    const people = [name, ...interview.interviewers.map((each) => each.name)]
    sendPage(reply, {
      title: say`${JOB_TEXTS.interview} – ${title}`,
      body: html`<div class="summary">
          <p class="quiet">${workspace.name}</p>
          <h1>${JOB_TEXTS.interviewFor(title)}</h1>
          <p>${timeInWords(interview)}</p>
          <p class="quiet">${JOB_TEXTS.rooms[interview.status]}</p>
        </div>
        <div class="prose">
          <h2>${JOB_TEXTS.participants}</h2>
          <ul>
            ${people.map((each) => html`<li>${each}</li>`)}
          </ul>
        </div>`,
    })
  })
}

/** The pages of recruiting. `public_url` and `video_room_url` link to them. */
export const jobPages: PageSet = { resources: [vacancyPages, applyPages, rooms] }

/** Returns the vacancy with this slug. Refuses drafts, archived and internal vacancies, which have no page. */
function publicVacancy(workspace: Workspace, slug: string): Vacancy {
  const vacancy = vacancyWithSlug(workspace, slug)
  if (vacancy.visibility !== 'public' || !WITH_PAGE.includes(vacancy.status)) {
    refuse('not_found', 'No vacancy exists at this address.')
  }
  return vacancy
}

/** Adds the application. Returns false if the vacancy is not published. */
async function tryToApply(
  workspace: Workspace,
  { id }: Vacancy,
  { fields, cv }: ReadApplication,
): Promise<boolean> {
  try {
    await storeFiles(workspace, cv === null ? [] : [cv], ([file]) => {
      const values = { ...fields, source: 'career_site', ...(file && { cvFileId: file.id }) }
      return apply(workspace, vacancies.get(workspace, id), values)
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'wrong_state') return false
    throw error
  }
}

/** Sends the page: with the form if the vacancy is published, else with a note and 409 for a submitted application. */
function showVacancy(
  reply: FastifyReply,
  workspace: Workspace,
  vacancy: Vacancy,
  form: ShownForm = {},
  status = 200,
): void {
  const isOpen = vacancy.status === 'published'
  const prefix = isOpen && form.problems?.length ? PAGE_TEXTS.error : ''
  sendPage(
    reply,
    {
      title: say`${prefix}${vacancy.title} – ${workspace.name}`,
      body: html`${description(workspace, vacancy)}
      ${
        isOpen
          ? applyForm(form)
          : html`<div class="state wait">
              <h2>${JOB_TEXTS.closed}</h2>
              <p class="quiet">${JOB_TEXTS.closedNote}</p>
            </div>`
      }`,
    },
    !isOpen && status !== 200 ? 409 : status,
  )
}

function description(workspace: Workspace, vacancy: Vacancy): Markup {
  const { city, country, modality, contractType, salaryRange, minExperienceYears, closesAt } = vacancy
  const facts: readonly (readonly [Text, Content])[] = [
    [JOB_TEXTS.department, vacancy.department],
    [
      JOB_TEXTS.place,
      country === null ? city : say`${city === null ? '' : `${city}, `}${countryNameIn(country)}`,
    ],
    [JOB_TEXTS.work, modality && JOB_TEXTS.modalities[modality]],
    [JOB_TEXTS.contract, contractType && JOB_TEXTS.contracts[contractType]],
    [
      JOB_TEXTS.experience,
      minExperienceYears === null ? null : JOB_TEXTS.yearsOrMore(String(minExperienceYears)),
    ],
    [JOB_TEXTS.salary, salaryRange?.visible ? salaryInWords(salaryRange) : null],
    [JOB_TEXTS.applyUntil, closesAt === null ? null : momentInWords(closesAt, workspace.timezone)],
  ]
  return html`<div class="summary">
      <p class="quiet">${workspace.name}</p>
      <h1>${vacancy.title}</h1>
      <dl class="facts">
        ${facts
          .filter(([, fact]) => fact !== null && fact !== '')
          .map(
            ([name, fact]) =>
              html`<dt>${name}</dt>
                <dd>${fact}</dd>`,
          )}
      </dl>
    </div>
    <div class="prose">
      ${vacancy.description !== null && html`<p class="written">${vacancy.description}</p>`}
      ${section(JOB_TEXTS.whatYouDo, vacancy.responsibilities)}
      ${section(JOB_TEXTS.whatYouBring, vacancy.mandatory)}
      ${section(JOB_TEXTS.niceToHave, vacancy.desirable)} ${section(JOB_TEXTS.whatWeOffer, vacancy.benefits)}
    </div>`
}

const section = (heading: Text, lines: readonly string[]): Content =>
  lines.length > 0 &&
  html`<div>
    <h2>${heading}</h2>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </div>`

function salaryInWords({ min, max, currency, period }: NonNullable<Vacancy['salaryRange']>): Text {
  const amount = (units: number): Text => amountInWords(Math.round(units * 100), currency)
  const periods: Readonly<Record<string, Text>> = JOB_TEXTS.periods
  const range =
    min !== null && max !== null
      ? JOB_TEXTS.range(amount(min), amount(max))
      : min !== null
        ? JOB_TEXTS.from(amount(min))
        : max !== null
          ? JOB_TEXTS.upTo(amount(max))
          : ''
  return range === '' ? '' : say`${range}, ${periods[period] ?? period}`
}
