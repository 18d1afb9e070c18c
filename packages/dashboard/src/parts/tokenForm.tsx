/** Asks for the admin token, or the control token of a workspace, once per tab. */
import { useState } from 'preact/hooks'

interface TokenFormProps {
  /** Why the server refused the last token; empty before the first one. */
  readonly refusal: string
  readonly enter: (token: string) => void
}

export function TokenForm({ refusal, enter }: TokenFormProps) {
  const [token, setToken] = useState('')
  return (
    <main class="token">
      <h1>Suite Simulator</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') enter(token.trim())
        }}
      >
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            required
            autoFocus
            value={token}
            aria-invalid={refusal === '' ? undefined : 'true'}
            aria-describedby="token-help"
            onInput={({ currentTarget }) => {
              setToken(currentTarget.value)
            }}
          />
          <small id="token-help">
            {refusal ||
              'The value of --admin-token, the token that the server printed at its start, or the control token of a workspace. It is stored for this tab only.'}
          </small>
        </label>
        <button type="submit">Open</button>
      </form>
    </main>
  )
}
