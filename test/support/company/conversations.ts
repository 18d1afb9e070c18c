/** The company's customer conversations of the last months. */
import type { Random } from './random.ts'
import type { KnownPerson } from './people.ts'
import type { Business } from './sales.ts'
import { DAY, HOUR, MINUTE, type Simulation } from './simulation.ts'

export const CONVERSATIONS = 52

/** The first day with conversations; the inboxes are a few days older. */
const FIRST_DAY = 224

const WEBSITE = 1
const WHATSAPP = 2
const MAIL = 3
const STORE = 4

const SALES = 1
const SUPPORT = 2

interface Topic {
  readonly inboxes: readonly number[]
  readonly team: number
  readonly labels: readonly string[]
  /** Messages of the contact and the agent, alternating; {thing}, {count}, {order} and {place} are filled in. */
  readonly lines: readonly string[]
}

const TOPICS: readonly Topic[] = [
  {
    inboxes: [WEBSITE, WHATSAPP],
    team: SALES,
    labels: ['quote'],
    lines: [
      'Good morning, how much would {count} {thing} cost with delivery to {place}?',
      'Good morning! I am sending you the quote today. Do you need assembly as well?',
      'Yes, please include assembly.',
      'Done: the quote is in your mailbox and holds for 30 days.',
    ],
  },
  {
    inboxes: [WEBSITE, STORE],
    team: SALES,
    labels: ['stock'],
    lines: [
      'Do you have {count} {thing} in stock, or do we have to wait for them?',
      'We have some here, and the rest arrives in two weeks. Shall I reserve them?',
      'Please reserve them in our name.',
      'They are reserved until Friday.',
    ],
  },
  {
    inboxes: [WHATSAPP, STORE],
    team: SUPPORT,
    labels: ['delivery'],
    lines: [
      'Hello, when does order {order} arrive? We are at the office until five.',
      'Hello! The truck is in {place} tomorrow between nine and noon.',
      'Perfect, somebody will be here.',
      'Thank you. The driver calls half an hour before.',
    ],
  },
  {
    inboxes: [MAIL],
    team: SUPPORT,
    labels: ['invoice'],
    lines: [
      'The invoice of order {order} has our old tax number. Could you correct it, please?',
      'Of course. Please send me the right number and the name as it is registered.',
      'Both are in the attachment of my first e-mail.',
      'The corrected invoice has been sent.',
    ],
  },
  {
    inboxes: [MAIL, WEBSITE],
    team: SUPPORT,
    labels: ['guarantee'],
    lines: [
      'One of the {thing} from order {order} wobbles. Is that covered by the guarantee?',
      'It is: five years on all frames. Could you send us a picture of the joint?',
      'The picture is on its way.',
      'We replace it. A technician visits you next week.',
    ],
  },
  {
    inboxes: [WEBSITE],
    team: SALES,
    labels: ['showroom'],
    lines: [
      'Can we try the {thing} in your showroom on Saturday?',
      'You can, from nine to one. Shall I put them aside for you?',
      'Yes, we will be four people.',
      'See you on Saturday!',
    ],
  },
  {
    inboxes: [WHATSAPP],
    team: SUPPORT,
    labels: ['delivery', 'complaint'],
    lines: [
      'Two boxes of order {order} arrived open, and screws are missing.',
      'I am sorry about that. We send the missing parts today by courier.',
      'Thank you, we want to assemble them on Monday.',
      'The courier has the parts, they arrive tomorrow.',
    ],
  },
  {
    inboxes: [MAIL, WEBSITE],
    team: SALES,
    labels: ['project'],
    lines: [
      'We move to a new office in {place} and need {count} {thing}. Do you also draw floor plans?',
      'We do, and the plan is free with an order of that size. When can we visit you?',
      'Any morning of next week suits us.',
      'Then we come on Tuesday at ten.',
    ],
  },
  {
    inboxes: [STORE],
    team: SUPPORT,
    labels: ['payment'],
    lines: [
      'I paid order {order} twice by mistake. Can you return one of the payments?',
      'I see both payments. The second one is being returned, which takes five days.',
      'It has arrived, thank you very much.',
      'Glad to hear that!',
    ],
  },
  {
    inboxes: [WEBSITE, MAIL],
    team: SALES,
    labels: ['quote', 'school'],
    lines: [
      'We are a school and look for {count} {thing} for two classrooms. Is there a discount?',
      'Schools have twelve percent off from twenty pieces. Which height do you need?',
      'For children from ten to twelve years.',
      'Then size 5 is the right one; I add it to the quote.',
    ],
  },
  {
    inboxes: [WHATSAPP, WEBSITE],
    team: SUPPORT,
    labels: ['assembly'],
    lines: [
      'How long does the assembly of {count} {thing} take? We have to close the office for it.',
      'Two people need about half a day. We can come in the evening as well.',
      'The evening would be better for us.',
      'Noted: we begin at six.',
    ],
  },
  {
    inboxes: [MAIL],
    team: SALES,
    labels: ['terms'],
    lines: [
      'Can we pay order {order} in three parts?',
      'From 2,000 dollars on we offer 30, 60 and 90 days. I send you the form.',
      'The form is signed and attached.',
      'Approved. The first payment is due in a month.',
    ],
  },
]

const THINGS = ['standing desks', 'task chairs', 'lockers', 'meeting tables', 'shelves', 'acoustic panels']
const PLACES = ['Costa del Este', 'Albrook', 'David', 'Colón', 'Santiago', 'San Francisco']

type Ending = 'open' | 'resolved' | 'pending' | 'snoozed'

export function planConversations(
  simulation: Simulation,
  chance: Random,
  days: number,
  { business: { contacts }, account }: { readonly business: Business; readonly account: number },
): void {
  const start = simulation.now
  const end = start + days * DAY
  const written = new Set<string>()
  const inTurn = Array.from({ length: CONVERSATIONS }, () => TOPICS)
    .flat()
    .slice(0, CONVERSATIONS)
  for (const [index, topic] of inTurn.entries()) {
    // More conversations towards the end, as with payments.
    const day = FIRST_DAY + Math.floor((days - 2 - FIRST_DAY) * Math.sqrt(index / CONVERSATIONS))
    simulation.at(start + day * DAY + chance.between(13 * 60, 22 * 60) * MINUTE, () => begin(topic))
  }

  async function begin(topic: Topic): Promise<void> {
    const known = contacts.filter(({ id }) => !written.has(id))
    const { id, person } = chance.pick(known.slice(-40))
    written.add(id)
    const inbox = inboxOf(topic, person)
    const lines = filledIn(topic.lines)
    const ending = endingOf((end - simulation.now) / DAY)
    // An open conversation may end with either side; the others end with an answer.
    const count = ending === 'open' ? chance.between(1, lines.length) : ending === 'resolved' ? 4 : 2
    const talk = await receive({ inbox_id: inbox, content: lines[0] ?? '', contact: senderOf(person) })
    await change(talk, {
      labels: topic.labels,
      ...(chance.happens(0.4) && { priority: chance.pick(PRIORITIES) }),
    })
    if (chance.happens(0.6)) await ask('POST', `/conversations/${talk}/assignments`, { team_id: topic.team })
    if (chance.happens(inbox === MAIL ? 0.5 : 0.3))
      await ask('POST', `/conversations/${talk}/assignments`, { assignee_id: chance.pick([1, 2, 3]) })
    else if (count === 1 && chance.happens(0.6))
      await ask('POST', `/conversations/${talk}/assignments`, { assignee_id: 0 })
    let when = simulation.now
    for (const [index, content] of lines.slice(1, count).entries()) {
      when += chance.between(4, 150) * MINUTE
      simulation.at(when, () =>
        index % 2 === 0
          ? ask('POST', `/conversations/${talk}/messages`, { content, message_type: 'outgoing' })
          : receive({ inbox_id: inbox, conversation_id: Number(talk), content }).then(() => undefined),
      )
    }
    if (ending === 'open') return
    simulation.at(when + chance.between(1, 20) * HOUR, () =>
      ask('POST', `/conversations/${talk}/toggle_status`, {
        status: ending,
        ...(ending === 'snoozed' && { snoozed_until: (end + chance.between(9, 30) * DAY) / 1000 }),
      }),
    )
  }

  const inboxOf = ({ inboxes }: Topic, { phone, email }: KnownPerson): number => {
    const usable = inboxes.filter((inbox) => (inbox === WHATSAPP ? phone : inbox === MAIL ? email : true))
    return usable.length === 0 ? WEBSITE : chance.pick(usable)
  }

  const filledIn = (lines: readonly string[]): string[] => {
    const values: Readonly<Record<string, string>> = {
      thing: chance.pick(THINGS),
      count: String(chance.between(4, 60)),
      order: `A-${String(chance.between(1100, 1990))}`,
      place: chance.pick(PLACES),
    }
    return lines.map((line) => line.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? ''))
  }

  function endingOf(daysBefore: number): Ending {
    const fate = chance.next()
    if (daysBefore > 70) return fate < 0.65 ? 'resolved' : fate < 0.75 ? 'pending' : 'open'
    return fate < 0.12 ? 'resolved' : fate < 0.2 ? 'pending' : fate < 0.28 ? 'snoozed' : 'open'
  }

  const receive = async (message: Fields): Promise<string> => {
    const { conversation_id: id } = await simulation.trigger<{ conversation_id: number }>(
      'conversations.message.receive',
      message,
    )
    return String(id)
  }

  const change = (talk: string, changes: Fields): Promise<void> =>
    ask('PATCH', `/conversations/${talk}`, changes)

  const ask = (method: 'POST' | 'PATCH', path: string, body: Fields): Promise<void> =>
    simulation.request('conversations', method, `/accounts/${String(account)}${path}`, body)
}

type Fields = Readonly<Record<string, unknown>>

const PRIORITIES = ['low', 'medium', 'high', 'urgent']

const senderOf = ({ name, email, phone }: KnownPerson) => ({
  name,
  ...(email !== null && { email }),
  ...(phone !== null && { phone_number: phone.replaceAll(' ', '') }),
})
