/** The Dockerfile as its stages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'

interface Instruction {
  readonly name: string
  readonly text: string
}

export type Stage = readonly Instruction[]

export const stages = readStages(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
export const last = stages.at(-1) ?? []

function readStages(dockerfile: string): Stage[] {
  const found: Instruction[][] = []
  for (const line of dockerfile.replace(/\\\n/g, ' ').split('\n')) {
    const [, name = '', text = ''] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
    if (name === 'FROM') found.push([])
    if (name !== '') found.at(-1)?.push({ name, text })
  }
  return found
}

export const allOf = (stage: Stage, name: string): string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text)

/** The files that a stage copies from the project folder. */
export const copiedFromProject = (stage: Stage): string[] =>
  allOf(stage, 'COPY')
    .filter((text) => !text.includes('--from='))
    .flatMap((text) => text.split(/ +/).slice(0, -1))
