/** The keys that work on every page. */

/** True if a key is a shortcut here: not while typing in a field, in a dialog, or if a part of the page took it. */
export function isShortcut(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  return (
    !event.defaultPrevented &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    target.closest('input, textarea, select, dialog, [contenteditable]') === null &&
    document.querySelector('dialog[open]') === null
  )
}
