/** The recruiting data of the demo workspace directly after a start. */
import { expect, test } from 'vitest'
import { matchScore } from '../../../src/state/recruiting/matching.ts'
import { weightedScore } from '../../../src/state/recruiting/evaluations.ts'
import {
  vacancyMachine,
  interviewMachine,
  applicationMachine,
} from '../../../src/state/recruiting/machines.ts'
import type { Criterion } from '../../../src/state/recruiting/jsonColumns.ts'
import { freshApp } from '../../support/app.ts'
import { dumpOf } from '../../support/records.ts'

type Row = Readonly<Record<string, unknown>>

async function demo() {
  const { app } = await freshApp({ fixtures: 'demo' })
  const workspace = app.workspaces.find('demo')
  if (!workspace) throw new Error('there is no demo')
  const { recruiting = {} } = dumpOf(app.records, workspace)
  return (name: string): readonly Row[] => recruiting[name] ?? []
}

test('has vacancies, candidates and interviews in every state', async () => {
  const rows = await demo()
  const states = (name: string, column: string) => new Set(rows(name).map((row) => row[column]))
  expect(states('vacancies', 'status')).toEqual(new Set(vacancyMachine.states))
  expect(states('applications', 'stage')).toEqual(new Set(applicationMachine.states))
  expect(states('interviews', 'status')).toEqual(new Set(interviewMachine.states))
})

test('has counters that match its events', async () => {
  const rows = await demo()
  const find = (name: string, id: unknown): Row => rows(name).find((row) => row['id'] === id) ?? {}
  for (const vacancy of rows('vacancies')) {
    const applications = rows('applications').filter(({ vacancyId }) => vacancyId === vacancy['id'])
    expect(vacancy['applicationsCount']).toBe(applications.length)
  }
  for (const application of rows('applications')) {
    const candidate = find('candidates', application['candidateId'])
    const skills = [candidate['technicalSkills'], candidate['softSkills']].flat()
    const vacancy = find('vacancies', application['vacancyId'])
    expect(matchScore(vacancy as never, { ...candidate, skills } as never)).toBe(application['matchScore'])
    const changes = rows('stageChanges').filter(({ applicationId }) => applicationId === application['id'])
    expect(changes.at(-1)?.['newStage'] ?? 'new').toBe(application['stage'])
  }
  for (const { criteria, weightedScore: stored } of rows('evaluations')) {
    expect(weightedScore(criteria as Criterion[])).toBe(stored)
  }
})
