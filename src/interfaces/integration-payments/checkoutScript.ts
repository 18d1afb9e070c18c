/**
 * The script of the hosted checkout. Specification part 2, "Hosted checkout in a popup": on success, it sends a message to
 * the opener and closes the popup; a normal tab goes on to redirectUrl.
 */

import { PAY_SCRIPT } from '../../http/webPages/payScript.ts'

/**
 * Posts the message to the origin of the page that opened the popup, stored in sessionStorage, and to that of redirectUrl.
 * The browser delivers it only if the origin is the opener's. If neither is known, the target is '*': the opener knew the
 * address of the checkout too.
 */
export const CHECKOUT_SCRIPT = `${PAY_SCRIPT}
{
  const checkout = location.pathname.replace(/\\/(?:done|cancelled)$/, '')
  const key = 'opener of ' + checkout

  const originOf = (address) => {
    if (!URL.canParse(address)) return null
    const { origin, protocol, pathname } = new URL(address)
    const isThisPage = origin === location.origin && pathname.startsWith(checkout)
    return /^https?:$/.test(protocol) && !isThisPage ? origin : null
  }

  // A browser may block storage. Then only the origin of redirectUrl is known.
  const storedOrigin = () => {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  }
  const storeOrigin = (origin) => {
    try {
      sessionStorage.setItem(key, origin)
    } catch {
      // See above.
    }
  }

  if (window.opener && storedOrigin() === null) {
    const origin = originOf(document.referrer)
    if (origin !== null) storeOrigin(origin)
  }

  const outcome = document.getElementById('outcome')
  if (outcome) {
    const { message, origin, redirect } = outcome.dataset
    const known = [...new Set([storedOrigin(), origin].filter(Boolean))]
    const goOn = () => {
      if (redirect) location.replace(redirect)
    }
    if (window.opener && !window.opener.closed) {
      for (const target of known.length > 0 ? known : ['*']) {
        window.opener.postMessage(JSON.parse(message), target)
      }
      window.close()
      // The browser may not let a page close itself.
      setTimeout(goOn, 1000)
    } else {
      goOn()
    }
  }
}
`
