/** The dialog with all shortcuts. */
import { Dialog } from './dialog.tsx'
import { PALETTE_KEY } from './shortcuts.ts'

const GROUPS = [
  [
    'Everywhere',
    [
      [[PALETTE_KEY], 'Open the command palette: pages, records, calls and actions'],
      [['/'], 'Go to the search field of the page'],
      [['?'], 'Show these shortcuts'],
      [['Esc'], 'Close the open entry or dialog'],
    ],
  ],
  [
    'In a list',
    [
      [['\u2193', 'J'], 'Next row'],
      [['\u2191', 'K'], 'Previous row'],
      [['Page Down', 'Page Up'], 'One screen down or up'],
      [['Home', 'End'], 'First or last row'],
      [['Enter'], 'Open the row'],
    ],
  ],
] as const

export const Help = ({ close }: { close: () => void }) => (
  <Dialog label="Keyboard shortcuts" name="help" close={close}>
    <h2>Keyboard shortcuts</h2>
    {GROUPS.map(([title, shortcuts]) => (
      <section key={title} aria-label={title}>
        <h3>{title}</h3>
        <dl>
          {shortcuts.map(([keys, what]) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
    <p class="empty">Shortcuts do nothing while you type in a field.</p>
    <button type="button" class="small outline" onClick={close}>
      Close
    </button>
  </Dialog>
)
