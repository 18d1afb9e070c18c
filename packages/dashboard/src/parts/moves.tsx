/** A button for each possible move, with a form for its call or trigger. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { segmentOf } from '@suite-sim/client/path'
import { useRequest, useAction } from '../api.ts'
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
import { Badge, ErrorMessage, toneOfStatus } from './common.tsx'
import { PullTrigger } from './pullTrigger.tsx'
import { resolveSchema, SchemaForm } from './schemaForm.tsx'

type Move = Schema<'RecordWithState'>['moves'][number]
type Row = Readonly<Record<string, unknown>>

interface MovesProps {
  readonly workspace: Workspace
  readonly section: string
  readonly id: string
  readonly record: Row
  readonly moves: readonly Move[]
  readonly onMoved: () => void
}

export function Moves({ workspace, section, id, record, moves, onMoved }: MovesProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { value: options, problem } = useRequest(
    () => optionsOf(workspace, section, id, record, moves),
    [section, id, JSON.stringify(moves)],
  )
  if (!options) return <ErrorMessage text={problem} />
  if (options.length === 0) return <p class="empty">No moves are possible in this state.</p>
  const option = options.find(({ title }) => title === chosen)
  return (
    <>
      <div class="actions">
        {options.map(({ title, by }) => (
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
      {option && (
        <div class="move">
          <p>By {option.by}.</p>
          {option.trigger && (
            <PullTrigger
              key={option.title}
              workspace={workspace.id}
              name={option.trigger.name}
              schema={option.trigger.body}
              initialValues={option.initialValues}
              onDone={onMoved}
            />
          )}
          {option.call && (
            <MakeCall
              key={option.title}
              workspace={workspace}
              call={option.call}
              id={id}
              record={record}
              onDone={onMoved}
            />
          )}
          {!option.trigger && !option.call && (
            <p>
              A due job or another action makes this move. <a href={to('clock')}>Advance clock</a>
            </p>
          )}
        </div>
      )}
    </>
  )
}

/** A possible move of a record, and the call or trigger that makes it. */
interface MoveOption {
  readonly title: string
  readonly by: string
  readonly trigger?: Schema<'Trigger'>
  readonly initialValues: Record<string, unknown>
  readonly call?: OperationCall
}

interface OperationCall {
  readonly interface: InterfaceName
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
  readonly document: OpenApi
  /** The sections of the interface by the names of fields that refer to them: "stageid". */
  readonly references: References
}

type References = ReadonlyMap<string, string>

const referencesOf = (name: string, sections: readonly Schema<'RecordSection'>[]): References =>
  new Map(
    sections
      .filter((each) => each.interface === name)
      .map(({ section }) => [plain(`${singularOf(section)}id`), section]),
  )

/** Adds the sections of the records that the fields of a call refer to. Calls do not declare them. */
const withReferences = (schema: JsonSchema, references: References): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const section = references.get(plain(name))
      return [name, section === undefined ? property : { ...property, 'x-record': section }]
    }),
  ),
})

/** Returns the moves with their triggers or calls, parsed from `by`, and then other triggers for the record. */
async function optionsOf(
  workspace: Workspace,
  section: string,
  id: string,
  record: Row,
  moves: readonly Move[],
): Promise<readonly MoveOption[]> {
  const [name = ''] = section.split('.')
  const { data: triggers } = await server().call('listTriggers')
  const document = name in INTERFACES ? await documentOf(name) : null
  const { data: sections } = await server().call('listRecordSections', { path: { id: workspace.id } })
  const references = referencesOf(name, sections)
  const options = moves.map(({ move, to: state, by }): MoveOption => {
    const [, triggerName] = /\btrigger ([a-z][\w.-]*\w)/.exec(by) ?? []
    const trigger = triggers.find((each) => each.name === triggerName)
    const [, method = '', path = ''] = /\b(GET|POST|PUT|PATCH|DELETE) (\/\S*)/.exec(by) ?? []
    const operation = document?.paths[path]?.[method.toLowerCase()]
    const [, outcome] = /with outcome (\w+)/.exec(by) ?? []
    return {
      title: `${move} \u2192 ${state}`,
      by,
      initialValues: {
        ...(trigger && initialValuesFor(trigger.body, section, id, record)),
        ...(outcome !== undefined && { outcome }),
      },
      ...(trigger && { trigger }),
      ...(!trigger &&
        document &&
        operation && {
          call: { interface: name as InterfaceName, method, path, operation, document, references },
        }),
    }
  })
  const others = triggers.flatMap((trigger): MoveOption[] => {
    if (!belongsTo(trigger.name, section)) return []
    const initialValues = initialValuesFor(trigger.body, section, id, record)
    const isApplicable =
      Object.keys(initialValues).length > 0 && !options.some((option) => option.trigger === trigger)
    return isApplicable
      ? [{ title: trigger.name, by: `the trigger ${trigger.name}`, initialValues, trigger }]
      : []
  })
  return [...options, ...others]
}

const plain = (text: string): string => text.replaceAll('_', '').toLowerCase()

const singularOf = (section: string): string =>
  (section.split('.')[1] ?? '').replace(/ies$/, 'y').replace(/s$/, '')

/** True if the trigger belongs to the section: "signage.pairing_code.issue" belongs to the pairing codes. */
const belongsTo = (trigger: string, section: string): boolean => {
  const [name, thing = ''] = trigger.split('.')
  return section.startsWith(`${name ?? ''}.`) && plain(thing) === plain(singularOf(section))
}

/** Returns the fields with the id of this record, and required fields that the record also has. */
function initialValuesFor(
  { properties = {}, required = [] }: JsonSchema,
  section: string,
  id: string,
  record: Row,
): Row {
  const idName = plain(`${singularOf(section)}id`)
  return Object.fromEntries(
    Object.keys(properties).flatMap((name): [string, unknown][] => {
      if (plain(name) === idName) return [[name, id]]
      const field = Object.keys(record).find((each) => plain(each) === plain(name))
      const value = field === undefined ? null : record[field]
      return required.includes(name) && value !== null ? [[name, value]] : []
    }),
  )
}

interface MakeCallProps {
  readonly workspace: Workspace
  readonly call: OperationCall
  readonly id: string
  readonly record: Row
  readonly onDone: () => void
}

function MakeCall({ workspace, call, id, record, onDone }: MakeCallProps) {
  const { method, path, operation, document } = call
  const [answer, setAnswer] = useState<{ status: number; text: string } | null>(null)
  const { isBusy, problem, run } = useAction()
  const sent = operation.requestBody?.content?.['application/json']?.schema ?? {}
  const { schemas } = document.components
  const [schema] = useState(() => withReferences(resolveSchema(sent, schemas), call.references))
  const fill = (): string => fillPathOf(path, id, record)
  return (
    <>
      <SchemaForm
        schema={schema}
        schemas={schemas}
        workspace={workspace.id}
        verb={`${method} ${fillOrNull(fill) ?? path}`}
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
            onDone()
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

/** Fills a path: the last parameter is the id, others are fields of the record (`{conversation_id}`: conversationId). */
function fillPathOf(path: string, id: string, record: Row): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const field = Object.keys(record).find((each) => plain(each) === plain(name))
    const value = name === names.at(-1) || field === undefined ? id : record[field]
    return segmentOf(name, String(value))
  })
}

/** Returns null if an id cannot be part of the path. The call then reports the error. */
function fillOrNull(fill: () => string): string | null {
  try {
    return fill()
  } catch {
    return null
  }
}
