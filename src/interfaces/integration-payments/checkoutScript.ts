/**
 * What the pages of the hosted checkout do where scripts run. Specification part 2, "Hosted checkout in a popup": on
 * success a message to the opener, then the popup closes itself; a normal tab goes on to redirectUrl.
 */

/**
 * A message is posted only to an origin that is known: that of redirectUrl, or else that of the page which opened the
 * popup, which is kept in the tab while the checkout lasts. Plain JavaScript, served as it stands.
 */
export const CHECKOUT_SCRIPT = `'use strict'
{
  const checkout = location.pathname.replace(/\\/done$/, '')
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
    const target = origin || kept()
    const goOn = () => {
      if (redirect) location.replace(redirect)
    }
    if (window.opener && !window.opener.closed && target) {
      window.opener.postMessage(JSON.parse(message), target)
      window.close()
      // Where the browser does not let a page close itself.
      setTimeout(goOn, 1000)
    } else {
      goOn()
    }
  }

  if (document.getElementById('processing')) setTimeout(() => location.reload(), 5000)
}
`
