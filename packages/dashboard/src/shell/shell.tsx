/** The navigation with the command palette, the list of shortcuts, and the messages of actions. */
import { useEffect, useState } from 'preact/hooks'
import type { Workspace } from '../server.ts'
import { Head, type PageTitle } from './head.tsx'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'
import { useShortcuts } from './shortcuts.ts'

interface ShellProps {
  readonly page: string
  readonly pages: readonly PageTitle[]
  readonly workspaces: readonly Workspace[]
  readonly workspace: Workspace | undefined
  /** The workspace that links keep: before the list is loaded, the one in the address. */
  readonly linked: string | undefined
  /** Called when the workspace was deleted. */
  readonly onGone: () => void
}

/** Milliseconds for which the message of an action stays. */
const MESSAGE_MS = 6000

export function Shell(props: ShellProps) {
  const [opened, setOpened] = useState<'palette' | 'help' | null>(null)
  const [message, setMessage] = useState('')
  const openPalette = (): void => {
    setOpened('palette')
  }
  const openHelp = (): void => {
    setOpened('help')
  }
  useShortcuts({ openPalette, openHelp })
  useEffect(() => {
    if (message === '') return
    const timer = setTimeout(() => {
      setMessage('')
    }, MESSAGE_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [message])
  return (
    <>
      <Head {...props} openPalette={openPalette} openHelp={openHelp} />
      {opened === 'palette' && (
        <Palette
          {...props}
          openHelp={openHelp}
          say={setMessage}
          close={() => {
            // An action of the palette may have opened the help.
            setOpened((current) => (current === 'palette' ? null : current))
          }}
        />
      )}
      {opened === 'help' && (
        <Help
          close={() => {
            setOpened((current) => (current === 'help' ? null : current))
          }}
        />
      )}
      <p class="message" role="status" aria-live="polite">
        {message}
      </p>
    </>
  )
}
