/** Filters of a page, whose values are parameters in the address. */
import { useEffect, useId, useRef } from 'preact/hooks'
import { currentRoute, filter } from '../route.ts'

interface FilterProps {
  readonly label: string
  /** The parameter. */
  readonly name: string
}

const valueOf = (name: string): string => currentRoute().query[name] ?? ''

interface ChoiceProps extends FilterProps {
  readonly options: readonly string[]
  /** The text of the option that is no filter. */
  readonly all?: string
}

/** A filter with a list of options, or all. */
export const Choice = ({ label, name, options, all = 'All' }: ChoiceProps) => (
  <label class="filter">
    <span>{label}</span>
    <select
      value={valueOf(name)}
      onChange={({ currentTarget }) => {
        filter({ [name]: currentTarget.value })
      }}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  </label>
)

interface SearchProps extends FilterProps {
  readonly placeholder?: string
  /** Values that the field suggests. */
  readonly options?: readonly string[]
}

/** A text filter. It applies 250 ms after the last key. */
export function Search({ label, name, placeholder, options = [] }: SearchProps) {
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const value = valueOf(name)
  useEffect(() => {
    // A link or Back has changed the filter, not the user who is typing.
    if (field.current && document.activeElement !== field.current) field.current.value = value
  }, [value])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
    },
    [],
  )
  return (
    <label class="filter">
      <span>{label}</span>
      <input
        type="search"
        ref={field}
        defaultValue={value}
        placeholder={placeholder}
        list={options.length > 0 ? list : undefined}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            filter({ [name]: currentTarget.value.trim() })
          }, 250)
        }}
      />
      {options.length > 0 && (
        <datalist id={list}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  )
}

/** A check box. It is "yes" or missing in the address. */
export const Check = ({ label, name }: FilterProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={valueOf(name) === 'yes'}
      onChange={({ currentTarget }) => {
        filter({ [name]: currentTarget.checked ? 'yes' : undefined })
      }}
    />
    {label}
  </label>
)
