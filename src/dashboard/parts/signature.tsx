/** How a delivery is signed, and what its signature is under a secret. */
import { useEffect, useState } from 'preact/hooks'
import { Badge } from './common.tsx'

export function Signature({ body }: { body: string }) {
  const [secret, setSecret] = useState('')
  const [shown, setShown] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    let isOver = false
    setWanted('')
    if (secret !== '') {
      void signatureOf(body, secret).then((signature) => {
        if (!isOver) setWanted(signature)
      })
    }
    return () => {
      isOver = true
    }
  }, [body, secret])
  const isSame = shown.trim().toLowerCase() === wanted
  return (
    <>
      <p>
        The header <code>X-Service-Signature</code> is <code>sha256=</code> and the HMAC-SHA256, in
        hexadecimal digits, of the bytes of the body under the secret of the subscription. Compute it of the
        body as it came, before it is parsed.
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
          Signature that you received
          <input
            value={shown}
            autocomplete="off"
            spellcheck={false}
            placeholder="sha256=..."
            onInput={({ currentTarget }) => {
              setShown(currentTarget.value)
            }}
          />
        </label>
      </div>
      {wanted !== '' && (
        <p role="status">
          {shown.trim() !== '' && (
            <Badge tone={isSame ? 'good' : 'bad'}>{isSame ? 'They are the same' : 'They differ'}</Badge>
          )}{' '}
          Under this secret it is <code class="long">{wanted}</code>
        </p>
      )}
    </>
  )
}

async function signatureOf(body: string, secret: string): Promise<string> {
  const bytes = new TextEncoder()
  // A page that came over plain http from another machine has none.
  const subtle = (crypto as Partial<Crypto>).subtle
  if (!subtle) return 'shown over HTTPS and on this machine only: browsers compute no signatures elsewhere'
  const key = await subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signed = await subtle.sign('HMAC', key, bytes.encode(body))
  return `sha256=${[...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
