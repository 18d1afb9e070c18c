/**
 * What the pages of the hosted checkout do where scripts run. Specification part 2, "Hosted checkout in a popup": on
 * success a message to the opener, then the popup closes itself; a normal tab goes on to redirectUrl.
 */

import { PAY_SCRIPT } from '../../http/payScript.ts'

/**
 * A message is posted to the origin of the page that opened the popup, which is kept in the tab while the checkout lasts,
 * and to that of redirectUrl: a browser gives it to the opener alone, and only where the origin is the opener's. Where
 * neither is known it is posted to whoever opened the popup, who had its address, too. Plain JavaScript, served as it
 * stands.
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

  // A browser may be told to keep nothing; then there is nobody to tell.
  const kept = () => {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  }
  const keep = (origin) => {
    try {
      sessionStorage.setItem(key, origin)
    } catch {
      // See above.
    }
  }

  if (window.opener && kept() === null) {
    const origin = originOf(document.referrer)
    if (origin !== null) keep(origin)
  }

  const outcome = document.getElementById('outcome')
  if (outcome) {
    const { message, origin, redirect } = outcome.dataset
    const known = [...new Set([kept(), origin].filter(Boolean))]
    const goOn = () => {
      if (redirect) location.replace(redirect)
    }
    if (window.opener && !window.opener.closed) {
      for (const target of known.length > 0 ? known : ['*']) {
        window.opener.postMessage(JSON.parse(message), target)
      }
      window.close()
      // Where the browser does not let a page close itself.
      setTimeout(goOn, 1000)
    } else {
      goOn()
    }
  }
}
`
