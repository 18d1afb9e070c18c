/** The people and companies that the company deals with, by country. All addresses are at example.com. */
import type { Random } from './random.ts'

interface Country {
  readonly name: string
  readonly calling: string
  readonly currency: string
  readonly first: readonly string[]
  readonly last: readonly string[]
}

const COUNTRIES: readonly Country[] = [
  {
    name: 'Panama',
    calling: '+507 6',
    currency: 'USD',
    first: [
      'Aida',
      'Camilo',
      'Dayana',
      'Edwin',
      'Fátima',
      'Gilberto',
      'Itzel',
      'Jorge',
      'Marisol',
      'Rodrigo',
    ],
    last: ['Batista', 'Cedeño', 'De León', 'González', 'Him', 'Quintero', 'Samaniego', 'Vergara'],
  },
  {
    name: 'Costa Rica',
    calling: '+506 8',
    currency: 'USD',
    first: ['Adriana', 'Esteban', 'Fiorella', 'Kattia', 'Mauricio', 'Pablo', 'Silvia'],
    last: ['Araya', 'Brenes', 'Chaves', 'Mora', 'Rojas', 'Ugalde'],
  },
  {
    name: 'Colombia',
    calling: '+57 300',
    currency: 'COP',
    first: ['Catalina', 'Germán', 'Juliana', 'Mateo', 'Paola', 'Santiago'],
    last: ['Bedoya', 'Cárdenas', 'Lozano', 'Ospina', 'Restrepo'],
  },
  {
    name: 'Mexico',
    calling: '+52 55',
    currency: 'MXN',
    first: ['Alejandra', 'Bruno', 'Renata', 'Emiliano', 'Ximena'],
    last: ['Aguirre', 'Cantú', 'Garza', 'Ibarra', 'Zamora'],
  },
  {
    name: 'Spain',
    calling: '+34 6',
    currency: 'EUR',
    first: ['Carmen', 'Iker', 'Jordi', 'Lourdes', 'Nuria'],
    last: ['Ferrer', 'Iglesias', 'Navarro', 'Pascual', 'Vidal'],
  },
  {
    name: 'United States',
    calling: '+1 305 55',
    currency: 'USD',
    first: ['Alice', 'Brandon', 'Chloe', 'Derek', 'Megan'],
    last: ['Bennett', 'Carter', 'Foster', 'Hughes', 'Parker'],
  },
]

const FIRMS = {
  education: [
    ['Colegio', 'Instituto', 'Academia'],
    ['Bolívar', 'del Istmo', 'San Judas', 'Las Américas'],
  ],
  automotive: [
    ['Motores', 'Autos', 'Taller'],
    ['Pacífico', 'Tumba Muerto', 'Chiriquí', 'del Canal'],
  ],
  real_estate: [
    ['Torre', 'Residencial', 'Parque'],
    ['Bahía', 'Costa Verde', 'Altos del Lago', 'Marina'],
  ],
  services: [
    ['Clínica', 'Bufete', 'Estudio', 'Logística'],
    ['Santa Fe', 'Ancón', 'Miramar', 'Global'],
  ],
} as const

export type Vertical = keyof typeof FIRMS

export const VERTICALS = Object.keys(FIRMS) as Vertical[]

const POSITIONS = ['Office manager', 'Purchasing', 'Director', 'Facility manager', 'Owner', 'Coordinator']

const TAGS: Readonly<Record<Vertical, readonly string[]>> = {
  education: ['school'],
  automotive: ['showroom'],
  real_estate: ['offices'],
  services: ['clinic', 'law firm', 'warehouse'],
}

export interface Person {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly position: string | null
  readonly vertical: Vertical | null
  readonly tags: readonly string[]
  readonly custom_fields: Readonly<Record<string, string>>
}

export interface KnownPerson extends Person {
  /** The currency of the person's country. */
  readonly currency: string
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '.')

/** Returns this many people with unique names. */
export function people(chance: Random, count: number): KnownPerson[] {
  const met = new Map<string, KnownPerson>()
  while (met.size < count) {
    const country = chance.pick(chance.happens(0.6) ? COUNTRIES.slice(0, 1) : COUNTRIES)
    const name = `${chance.pick(country.first)} ${chance.pick(country.last)}`
    if (!met.has(name)) met.set(name, personOf(chance, country, name, met.size))
  }
  return [...met.values()]
}

function personOf(
  chance: Random,
  { name: country, calling, currency }: Country,
  name: string,
  index: number,
): KnownPerson {
  const vertical = chance.pick(VERTICALS)
  const [kinds, names] = FIRMS[vertical]
  const isPrivate = chance.happens(0.12)
  const number = String(200 + index).padStart(4, '0')
  return {
    name,
    // Some have only a phone number, so automation e-mails to them fail.
    email: chance.happens(0.07) ? null : `${plain(name)}@example.com`,
    phone: chance.happens(0.15) ? null : `${calling}${String(chance.between(100, 999))} ${number}`,
    company: isPrivate ? null : `${chance.pick(kinds)} ${chance.pick(names)}`,
    position: isPrivate ? null : chance.pick(POSITIONS),
    vertical: isPrivate ? null : vertical,
    tags: [
      ...(isPrivate ? ['newsletter'] : [chance.pick(TAGS[vertical])]),
      ...(chance.happens(0.1) ? ['vip'] : []),
    ],
    custom_fields: { country },
    currency,
  }
}
