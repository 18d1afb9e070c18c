/** The reports equal the sums of the individual deals, for any deals. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { iso, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { freshSales, NOON, type DealBody, type PageBody, type PipelineBody } from '../../support/deals.ts'
import { runs } from '../../support/extent.ts'

const DAY = 86_400_000

const sale = fc.record({
  /** In cents. */
  value: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 99_999_999_999_999 })),
  stage: fc.constantFrom(0, 1),
  ownsIt: fc.boolean(),
  outcome: fc.constantFrom('open', 'won', 'lost'),
  /** Since the previous deal. */
  msLater: fc.integer({ min: 0, max: 40 * DAY }),
  msToClose: fc.integer({ min: 0, max: 20 * DAY }),
  month: fc.option(fc.integer({ min: 1, max: 12 })),
})

interface Summary {
  readonly total_deals: number
  readonly total_value: number
  readonly won_deals: number
  readonly won_value: number
  readonly lost_deals: number
  readonly conversion_rate: number
  readonly average_deal_value: number
  readonly average_days_to_close: number
}

interface Measures {
  readonly deals_count: number
  readonly total_value: number
}

/** Integer cents, so that sums are exact. */
const cents = (amount: number): bigint => BigInt(Math.round(amount * 100))
const sumOf = (deals: readonly DealBody[]): bigint => deals.reduce((sum, { value }) => sum + cents(value), 0n)
const money = (sum: bigint): number => Number(sum) / 100

const msToClose = ({ closed_at, created_at }: DealBody): number =>
  offsetInstantOf(closed_at ?? '') - offsetInstantOf(created_at)

function naiveSummary(deals: readonly DealBody[]): Summary {
  const won = deals.filter(({ status }) => status === 'won')
  const lost = deals.filter(({ status }) => status === 'lost')
  const closed = won.length + lost.length
  const ms = won.reduce((sum, deal) => sum + msToClose(deal), 0)
  return {
    total_deals: deals.length,
    total_value: money(sumOf(deals)),
    won_deals: won.length,
    won_value: money(sumOf(won)),
    lost_deals: lost.length,
    conversion_rate: closed === 0 ? 0 : Math.round((won.length / closed) * 1000) / 10,
    average_deal_value: deals.length === 0 ? 0 : Math.round(Number(sumOf(deals)) / deals.length) / 100,
    average_days_to_close: won.length === 0 ? 0 : Math.round((ms * 100) / (DAY * won.length)) / 100,
  }
}

const countAndValue = (deals: readonly DealBody[]): Measures => ({
  deals_count: deals.length,
  total_value: money(sumOf(deals)),
})

test('returns reports that match the deals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { maxLength: 12 }), async (sales) => {
      const { addDeal, ask, getPipeline, pipeline, setClock } = await freshSales()
      let now = offsetInstantOf(NOON)
      for (const { value, stage, ownsIt, outcome, msLater, msToClose, month } of sales) {
        now += msLater
        setClock(iso(now))
        const { id } = await addDeal({
          value: value / 100,
          stage_id: pipeline.stages[stage]?.id,
          ...(!ownsIt && { owner_id: null }),
          expected_close_date: month === null ? null : `2027-${String(month).padStart(2, '0')}-28`,
        })
        setClock(iso(now + msToClose))
        if (outcome !== 'open') await ask('POST', `/deals/${id}/${outcome}`)
      }
      const { data: deals } = await ask<PageBody<DealBody>>('GET', '/deals?per_page=100')
      const open = deals.filter(({ status }) => status === 'open')
      const path = `/reports/pipeline?pipeline_id=${pipeline.id}`

      const byOwner = await ask<{
        summary: Summary
        by_stage: (Measures & { stage_id: string })[]
        by_owner: (Measures & { owner: object | null })[]
      }>('GET', `${path}&group_by=owner`)
      expect(byOwner.summary).toEqual({ ...naiveSummary(deals), other_currencies: [] })
      for (const stage of byOwner.by_stage) {
        expect(stage).toMatchObject(countAndValue(deals.filter((deal) => deal.stage.id === stage.stage_id)))
      }
      for (const row of byOwner.by_owner) {
        expect(row).toMatchObject(
          countAndValue(deals.filter(({ owner }) => (owner === null) === (row.owner === null))),
        )
      }

      const { by_month } = await ask<{ by_month: (Measures & { month: string; won_value: number })[] }>(
        'GET',
        `${path}&group_by=month`,
      )
      for (const row of by_month) {
        const created = deals.filter(({ created_at }) => created_at.startsWith(row.month))
        const won = deals.filter((deal) => deal.status === 'won' && deal.closed_at?.startsWith(row.month))
        expect(row).toMatchObject({ ...countAndValue(created), won_value: money(sumOf(won)) })
      }
      expect(by_month.reduce((sum, row) => sum + row.deals_count, 0)).toBe(deals.length)

      const { team } = await ask<{ team: (Measures & { owner: object | null; open_value: number })[] }>(
        'GET',
        '/reports/team',
      )
      for (const member of team) {
        const theirs = deals.filter(({ owner }) => (owner === null) === (member.owner === null))
        const theirOpen = theirs.filter(({ status }) => status === 'open')
        expect(member).toMatchObject({ deals_count: theirs.length, open_value: money(sumOf(theirOpen)) })
      }

      const shown: PipelineBody = await getPipeline(pipeline.id)
      const percents = open.reduce(
        (sum, deal) => sum + cents(deal.value) * BigInt(deal.stage.probability),
        0n,
      )
      expect(shown).toMatchObject({
        total_deals: open.length,
        total_value: money(sumOf(open)),
        weighted_value: money((percents + 50n) / 100n),
      })

      const { items, unscheduled } = await ask<{
        items: (Measures & { label: string; won_value: number })[]
        unscheduled: Measures
      }>('GET', '/reports/forecast?type=best_case')
      for (const item of items) {
        const expected = open.filter((deal) => deal.expected_close_date?.startsWith(item.label))
        const won = deals.filter((deal) => deal.status === 'won' && deal.closed_at?.startsWith(item.label))
        expect(item).toMatchObject({ ...countAndValue(expected), won_value: money(sumOf(won)) })
      }
      expect(unscheduled).toMatchObject(
        countAndValue(open.filter((deal) => deal.expected_close_date === null)),
      )
    }),
    { numRuns: runs(25) },
  )
})
