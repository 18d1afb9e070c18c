/** Lists the readings of the specification. OPERATING.md, "Control plane". */
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { READINGS } from '../shared/readings.ts'
import { Reading } from '../shared/schemas.ts'

export const readings: ControlResource = async (app) => {
  const at = controlRoutesOf(app, 'Documentation')

  at('/readings').get({
    id: 'listReadings',
    isShared: true,
    summary: 'List the readings',
    description:
      'A reading is a place where the specification can be read in several ways. A workspace chooses an alternative with `readings`; the server has defaults.',
    answers: { 200: ListOf(Reading) },
    run: () => ({
      data: READINGS.map(({ name, title, section, alternatives, default: fallback }) => ({
        name,
        title,
        section,
        alternatives: [...alternatives],
        default: fallback,
      })),
    }),
  })
}
