/**
 * The script of the hosted checkout. Specification part 2, "Hosted checkout in a popup": on success, it sends a message to
 * the opener and closes the popup; a normal tab goes on to redirectUrl.
 */

import { PAY_SCRIPT } from '../../http/webPages/payScript.ts'
import type { Spoken } from '../../state/text/languages.ts'

/**
 * Posts the message to any opener ('*'): its origin is unknown if it sends no referrer, and it knows the address of
 * the checkout, too.
 */
export const CHECKOUT_SCRIPT: Spoken = (language) => `${PAY_SCRIPT(language)}
{
  const outcome = document.getElementById('outcome')
  if (outcome) {
    const { message, redirect } = outcome.dataset
    const goOn = () => {
      if (redirect) location.replace(redirect)
    }
    if (window.opener && !window.opener.closed) {
      window.opener.postMessage(JSON.parse(message), '*')
      window.close()
      // The browser may not let a page close itself.
      setTimeout(goOn, 1000)
    } else {
      goOn()
    }
  }
}
`
