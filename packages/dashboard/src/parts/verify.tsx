/** Programs that verify the signature of a received webhook, with its secret and header. */
import { saveBlob } from '../server.ts'
import { SNIPPETS, type Signed, type Snippet } from '../signatureSnippets.ts'
import { Copy } from './common.tsx'
import { Json } from './json.tsx'
import { Tabs } from './tabs.tsx'

interface VerifyProps {
  readonly signed: Signed
  readonly body: string
  /** The name of a language. */
  readonly language: string | undefined
  readonly onLanguage: (language: string) => void
}

export const Verify = ({ signed, body, language, onLanguage }: VerifyProps) => (
  <>
    <p>
      Each program prints <code>true</code> if the signature is that of the raw body. Save the body and the
      program in one folder, and run the command there.
    </p>
    <Tabs
      label="Languages"
      selected={language}
      onSelect={onLanguage}
      tabs={SNIPPETS.map((snippet) => ({
        name: snippet.language,
        content: () => <Program snippet={snippet} signed={signed} body={body} />,
      }))}
    />
  </>
)

function Program({ snippet, signed, body }: { snippet: Snippet; signed: Signed; body: string }) {
  const { file, command } = snippet
  const code = snippet.code(signed)
  const save = (text: string, name: string): void => {
    saveBlob(new Blob([text], { type: 'text/plain' }), name)
  }
  return (
    <div class="program">
      <div class="actions">
        <button
          type="button"
          class="small outline"
          onClick={() => {
            save(body, 'body.json')
          }}
        >
          Save body.json
        </button>
        <button
          type="button"
          class="small outline"
          onClick={() => {
            save(code, file)
          }}
        >
          Save {file}
        </button>
        <code>{command}</code> <Copy text={command} what="the command" />
      </div>
      <Json label={file} value={code} />
    </div>
  )
}
