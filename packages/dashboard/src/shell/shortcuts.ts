/** The keys that work on every page. */
import { useEffect, useRef } from 'preact/hooks'

const TEXT_FIELDS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable=true]'

/** True if a key is a shortcut here: not while typing in a field, in a dialog, or if a part of the page took it. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event
  return (
    !event.defaultPrevented &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    // A list of options uses letters to find one.
    !(target instanceof Element && target.closest(`${TEXT_FIELDS}, select`)) &&
    !document.querySelector('dialog[open]')
  )
}

interface Shortcuts {
  readonly openPalette: () => void
  readonly openHelp: () => void
}

export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    const run = (event: KeyboardEvent): void => {
      const action = isPaletteKey(event)
        ? latest.current.openPalette
        : isShortcut(event)
          ? actionOf(event.key, latest.current)
          : undefined
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', run)
    return () => {
      removeEventListener('keydown', run)
    }
  }, [])
}

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' &&
  ctrlKey !== metaKey &&
  !altKey &&
  !shiftKey &&
  !(target instanceof Element && target.closest(TEXT_FIELDS)) &&
  !document.querySelector('dialog[open]')

const actionOf = (key: string, { openPalette, openHelp }: Shortcuts): (() => void) | undefined =>
  key === '?' ? openHelp : key === '/' ? (focusSearch() ?? openPalette) : undefined

/** Returns the action that moves the focus to the search field of the page; undefined if the page has none. */
function focusSearch(): (() => void) | undefined {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]')
  const field = [...fields].find((each) => each.offsetParent !== null)
  return (
    field &&
    (() => {
      field.focus()
      field.select()
    })
  )
}

/** The name of the key that opens the palette on this system. */
export const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '\u2318 K' : 'Ctrl K'
