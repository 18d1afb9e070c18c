/** The button that opens and closes a form. */
import type { ComponentChildren } from 'preact'

export function FormButton({
  isOpen,
  setIsOpen,
  children,
}: {
  readonly isOpen: boolean
  readonly setIsOpen: (isOpen: boolean) => void
  readonly children: ComponentChildren
}) {
  return (
    <button
      type="button"
      class="small outline"
      aria-expanded={isOpen}
      onClick={() => {
        setIsOpen(!isOpen)
      }}
    >
      {children}
    </button>
  )
}
