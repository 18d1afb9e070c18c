/**
 * The step in which the issuer asks the cardholder to confirm a payment. It has its own address (redirect after POST), so
 * that Back sends no form again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticatedCard, type ReadCard } from '../../state/shared/cards.ts'
import { randomToken } from '@suite-sim/kit/random'
import type { Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Typed } from './formFields.ts'
import { html, type Markup } from './html.ts'
import { linkTo } from './languages.ts'
import { PAY_TEXTS } from './payTexts.ts'
import { goTo } from './webPages.ts'

/** The input that the step sends again: all fields except the card number and the code. */
const KEPT = ['method', 'amount', 'name', 'email', 'attempt', 'card_expiry'] as const

/** A step that was started; the last four digits identify the test card. */
export interface AuthenticationStep {
  /** The last segment of the address of the form. */
  readonly page: string
  readonly last4: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The most steps of a workspace that can be open at once. */
const MAX_STEPS = 100

/** In memory, because an address must not contain what a person typed. After a restart, the form is shown again. */
const stepsOf = new WeakMap<Workspace, Map<string, AuthenticationStep>>()

/** Starts the step of the form at `page`, and redirects to it. */
export function startAuthentication(
  reply: FastifyReply,
  workspace: Workspace,
  page: string,
  { typed, last4 }: { readonly typed: Typed; readonly last4: string },
): void {
  let steps = stepsOf.get(workspace)
  if (!steps) stepsOf.set(workspace, (steps = new Map<string, AuthenticationStep>()))
  const token = randomToken()
  steps.set(token, { page, last4, fields: KEPT.map((name) => [name, typed(name)]) })
  const [oldest] = steps.keys()
  if (steps.size > MAX_STEPS && oldest !== undefined) steps.delete(oldest)
  goTo(reply, `${encodeURIComponent(page)}?step=${token}`)
}

/** Returns the step of the form at `page` that the address names. */
export function authenticationIn(
  { query, workspace }: Pick<FastifyRequest, 'query' | 'workspace'>,
  page: string,
): AuthenticationStep | undefined {
  const step = stepsOf.get(workspace)?.get(String((query as { step?: unknown }).step))
  return step?.page === page ? step : undefined
}

/** Returns the content of the page of the step. */
export const authenticationForm = ({ page, last4, fields }: AuthenticationStep, what: Text): Markup =>
  html`<div class="state wait">
      <h1>${PAY_TEXTS.confirmHeading}</h1>
      <p>${PAY_TEXTS.confirmNote(what, last4)}</p>
      <p class="quiet">${PAY_TEXTS.confirmApp}</p>
    </div>
    <form method="post" action="${linkTo(encodeURIComponent(page))}">
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input type="hidden" name="authentication" value="${last4}" />
      <button type="submit" name="decision" value="confirm">${PAY_TEXTS.confirm}</button>
      <button type="submit" name="decision" value="refuse" class="plain">${PAY_TEXTS.refuse}</button>
    </form>`

/** Returns the result of the step; null if the form is of no such step. */
export const readAuthentication = (typed: Typed, now: number): ReadCard | null =>
  authenticatedCard(
    { last4: typed('authentication'), expiry: typed('card_expiry'), passed: typed('decision') === 'confirm' },
    now,
  )
