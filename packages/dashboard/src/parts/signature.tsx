/** Explains signatures, and computes the signature of a delivery for a secret. */
import { useEffect, useState } from 'preact/hooks'
import { Badge } from './common.tsx'

export function Signature({ body }: { body: string }) {
  const [secret, setSecret] = useState('')
  const [received, setReceived] = useState('')
  const [expected, setExpected] = useState('')
  useEffect(() => {
    let isCanceled = false
    setExpected('')
    if (secret !== '') {
      void signatureOf(body, secret).then((signature) => {
        if (!isCanceled) setExpected(signature)
      })
    }
    return () => {
      isCanceled = true
    }
  }, [body, secret])
  const matches = received.trim().toLowerCase() === expected
  return (
    <>
      <p>
        The header <code>X-Service-Signature</code> is <code>sha256=</code> followed by the hexadecimal
        HMAC-SHA256 of the body with the secret of the subscription. Compute it from the raw body, before you
        parse it.
      </p>
      <div class="inline">
        <label>
          Secret of the subscription
          <input
            value={secret}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => {
              setSecret(currentTarget.value)
            }}
          />
        </label>
        <label>
          Received signature
          <input
            value={received}
            autocomplete="off"
            spellcheck={false}
            placeholder="sha256=..."
            onInput={({ currentTarget }) => {
              setReceived(currentTarget.value)
            }}
          />
        </label>
      </div>
      {expected !== '' && (
        <p role="status">
          {received.trim() !== '' && (
            <Badge tone={matches ? 'good' : 'bad'}>
              {matches ? 'Signatures match' : 'Signatures differ'}
            </Badge>
          )}{' '}
          Expected signature: <code class="long">{expected}</code>
        </p>
      )}
    </>
  )
}

async function signatureOf(body: string, secret: string): Promise<string> {
  const bytes = new TextEncoder()
  // Browsers provide `crypto.subtle` only over HTTPS and on this machine.
  const subtle = (crypto as Partial<Crypto>).subtle
  if (!subtle) return 'unavailable; open the dashboard over HTTPS or on the machine of the server'
  const key = await subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const digest = await subtle.sign('HMAC', key, bytes.encode(body))
  return `sha256=${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
