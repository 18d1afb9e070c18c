/** A modal dialog. The browser keeps the focus inside, closes it with Escape, and then gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly label: string
  readonly name: string
  readonly close: () => void
  readonly children: ComponentChildren
}

export function Dialog({ label, name, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Before the next key, which belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`modal ${name}`}
      aria-label={label}
      onClose={close}
      onClick={(event) => {
        // Only the backdrop is the dialog itself.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div class="content">{children}</div>
    </dialog>
  )
}
