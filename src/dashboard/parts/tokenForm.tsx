/** Asks for the admin token, or the control token of a workspace, once per tab. */
import { useState } from 'preact/hooks'

export function TokenForm({ wasWrong, enter }: { wasWrong: boolean; enter: (token: string) => void }) {
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
          Admin token
          <input
            type="password"
            autocomplete="off"
            required
            autoFocus
            value={token}
            aria-invalid={wasWrong ? 'true' : undefined}
            aria-describedby="token-help"
            onInput={({ currentTarget }) => {
              setToken(currentTarget.value)
            }}
          />
          <small id="token-help">
            {wasWrong
              ? 'The token is wrong.'
              : 'The value of --admin-token, the token that the server printed at its start, or the control token of a workspace. It is stored for this tab only.'}
          </small>
        </label>
        <button type="submit">Open</button>
      </form>
    </main>
  )
}
