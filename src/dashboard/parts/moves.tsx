/** A button for each move that is possible now, with a form of what its call or trigger takes. */
import { useState } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { INTERFACES } from '../../library/control.ts'
import { segmentOf } from '../../library/path.ts'
import { useAsked, useDoing } from '../api.ts'
import { callWith } from '../repeating.ts'
import { to } from '../route.ts'
import {
  documentOf,
  server,
  type InterfaceName,
  type JsonSchema,
  type OpenApi,
  type OpenApiOperation,
  type Workspace,
} from '../server.ts'
import { Badge, Problem, toneOfStatus } from './common.tsx'
import { PullTrigger } from './pullTrigger.tsx'
import { SchemaForm } from './schemaForm.tsx'

type Move = Schema<'RecordWithState'>['moves'][number]
type Row = Readonly<Record<string, unknown>>

interface MovesProps {
  readonly workspace: Workspace
  readonly section: string
  readonly id: string
  readonly record: Row
  readonly moves: readonly Move[]
  readonly moved: () => void
}

export function Moves({ workspace, section, id, record, moves, moved }: MovesProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { value: ways, problem } = useAsked(
    () => waysOf(section, id, record, moves),
    [section, id, JSON.stringify(moves)],
  )
  if (!ways) return <Problem words={problem} />
  if (ways.length === 0) return <p class="empty">Nothing moves it any more.</p>
  const way = ways.find(({ title }) => title === chosen)
  return (
    <>
      <div class="actions">
        {ways.map(({ title, by }) => (
          <button
            key={title}
            type="button"
            class="small outline"
            aria-expanded={chosen === title}
            title={`by ${by}`}
            onClick={() => {
              setChosen(chosen === title ? null : title)
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {way && (
        <div class="move">
          <p>By {way.by}.</p>
          {way.trigger && (
            <PullTrigger
              key={way.title}
              workspace={workspace.id}
              name={way.trigger.name}
              schema={way.trigger.body}
              given={way.given}
              done={moved}
            />
          )}
          {way.call && (
            <MakeCall
              key={way.title}
              workspace={workspace}
              call={way.call}
              id={id}
              record={record}
              done={moved}
            />
          )}
          {!way.trigger && !way.call && (
            <p>
              It comes with time, or with something else. <a href={to('clock')}>Move the clock</a>
            </p>
          )}
        </div>
      )}
    </>
  )
}

/** Something that may happen to a record now, and how somebody makes it happen. */
interface Way {
  readonly title: string
  readonly by: string
  readonly trigger?: Schema<'Trigger'>
  readonly given: Record<string, unknown>
  readonly call?: CallOf
}

interface CallOf {
  readonly interface: InterfaceName
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
  readonly document: OpenApi
}

/** The moves, each by "the trigger payments.link.pay with ..." or "POST /deals/{deal_id}/won"; then other triggers. */
async function waysOf(
  section: string,
  id: string,
  record: Row,
  moves: readonly Move[],
): Promise<readonly Way[]> {
  const [name = ''] = section.split('.')
  const { data: triggers } = await server().call('listTriggers')
  const document = name in INTERFACES ? await documentOf(name) : null
  const ways = moves.map(({ move, to: state, by }): Way => {
    const [, triggerName] = /\btrigger ([a-z][\w.-]*\w)/.exec(by) ?? []
    const trigger = triggers.find((each) => each.name === triggerName)
    const [, method = '', path = ''] = /\b(GET|POST|PUT|PATCH|DELETE) (\/\S*)/.exec(by) ?? []
    const operation = document?.paths[path]?.[method.toLowerCase()]
    const [, outcome] = /with outcome (\w+)/.exec(by) ?? []
    return {
      title: `${move} \u2192 ${state}`,
      by,
      given: {
        ...(trigger && givenFor(trigger.body, section, id, record)),
        ...(outcome !== undefined && { outcome }),
      },
      ...(trigger && { trigger }),
      ...(!trigger &&
        document &&
        operation && { call: { interface: name as InterfaceName, method, path, operation, document } }),
    }
  })
  const others = triggers.flatMap((trigger): Way[] => {
    if (!isOf(trigger.name, section)) return []
    const given = givenFor(trigger.body, section, id, record)
    const isNamed = Object.keys(given).length > 0 && !ways.some((way) => way.trigger === trigger)
    return isNamed ? [{ title: trigger.name, by: `the trigger ${trigger.name}`, given, trigger }] : []
  })
  return [...ways, ...others]
}

const plain = (text: string): string => text.replaceAll('_', '').toLowerCase()

const singularOf = (section: string): string =>
  (section.split('.')[1] ?? '').replace(/ies$/, 'y').replace(/s$/, '')

/** "signage.pairing_code.issue" is of the pairing codes. */
const isOf = (trigger: string, section: string): boolean => {
  const [name, thing = ''] = trigger.split('.')
  return section.startsWith(`${name ?? ''}.`) && plain(thing) === plain(singularOf(section))
}

/** The fields that name this record, or are fields of it as well. */
function givenFor(
  { properties = {}, required = [] }: JsonSchema,
  section: string,
  id: string,
  record: Row,
): Row {
  const own = plain(`${singularOf(section)}id`)
  return Object.fromEntries(
    Object.keys(properties).flatMap((name): [string, unknown][] => {
      if (plain(name) === own) return [[name, id]]
      const field = Object.keys(record).find((each) => plain(each) === plain(name))
      const value = field === undefined ? null : record[field]
      return required.includes(name) && value !== null ? [[name, value]] : []
    }),
  )
}

interface MakeCallProps {
  readonly workspace: Workspace
  readonly call: CallOf
  readonly id: string
  readonly record: Row
  readonly done: () => void
}

function MakeCall({ workspace, call, id, record, done }: MakeCallProps) {
  const { method, path, operation, document } = call
  const [answer, setAnswer] = useState<{ status: number; text: string } | null>(null)
  const { isBusy, problem, run } = useDoing()
  const schema = operation.requestBody?.content?.['application/json']?.schema ?? {}
  const fill = (): string => filledWith(path, id, record)
  return (
    <>
      <SchemaForm
        schema={schema}
        schemas={document.components.schemas}
        verb={`${method} ${shown(fill) ?? path}`}
        isBusy={isBusy}
        problem={problem}
        send={(body) => {
          run(async () => {
            const hasBody = operation.requestBody !== undefined
            setAnswer(
              await callWith(workspace.id, call.interface, {
                method,
                path: INTERFACES[call.interface].basePath + fill(),
                body: hasBody ? body : undefined,
              }),
            )
            done()
          })
        }}
      />
      {answer && (
        <p role="status">
          <Badge tone={toneOfStatus(answer.status)}>{answer.status}</Badge>{' '}
          <code>{answer.text.slice(0, 400)}</code>
        </p>
      )}
    </>
  )
}

/** The last parameter of the path is the record's own; others are fields of it: `{conversation_id}` is conversationId. */
function filledWith(path: string, id: string, record: Row): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const field = Object.keys(record).find((each) => plain(each) === plain(name))
    const value = name === names.at(-1) || field === undefined ? id : record[field]
    return segmentOf(name, String(value))
  })
}

/** Null for a path that an id of the record can't stand in; what is wrong with it is said when it is called. */
function shown(fill: () => string): string | null {
  try {
    return fill()
  } catch {
    return null
  }
}
