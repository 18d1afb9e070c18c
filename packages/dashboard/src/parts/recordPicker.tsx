/** A text field that suggests records. Any other text can be typed. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { server } from '../server.ts'

type Found = Schema<'FoundRecord'>

interface PickerProps {
  readonly workspace: string
  /** "payments.links", or with another key than the id: "meetings.meetings.publicMeetingId". */
  readonly reference: string
  readonly value: string
  readonly required: boolean
  readonly onInput: (event: Event) => void
}

const LIMIT = 50

export function RecordPicker({ workspace, reference, value, ...input }: PickerProps) {
  const [of = '', list = '', key = 'id'] = reference.split('.')
  const id = useId()
  const [options, setOptions] = useState<readonly Found[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const generation = useRef(0)
  const keyOf = (found: Found): string => (key === 'id' ? found.id : (found.keys[key] ?? ''))
  useEffect(() => {
    if (!isOpen || options.some((option) => keyOf(option) === value)) return undefined
    const own = ++generation.current
    const timer = setTimeout(() => {
      const text = value.trim().slice(0, 200)
      const query = { section: `${of}.${list}`, limit: LIMIT, ...(text !== '' && { text }) }
      server()
        .call('findRecords', { path: { id: workspace }, query })
        .then(
          ({ data }) => {
            if (own === generation.current) setOptions(data)
          },
          // Without suggestions, the id can still be typed.
          () => undefined,
        )
    }, 150)
    return () => {
      clearTimeout(timer)
    }
  }, [isOpen, value, reference])
  return (
    <>
      <input
        {...input}
        value={value}
        list={id}
        autocomplete="off"
        spellcheck={false}
        placeholder="id, or a part of its name"
        onFocus={() => {
          setIsOpen(true)
        }}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option.id} value={keyOf(option)}>
            {[option.title, option.state].filter((text) => text !== null).join(' \u00B7 ')}
          </option>
        ))}
      </datalist>
    </>
  )
}
