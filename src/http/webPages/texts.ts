/** The texts that all pages share: their frame, their fields and their errors. */
import type { Reason } from '../../state/model/refusal.ts'
import { spoken } from '../../state/text/languages.ts'

export const PAGE_TEXTS = spoken({
  en: {
    noMoney: ' No money moves here.',
    languages: 'Language',
    error: 'Error: ',
    declined: 'Declined: ',
    optional: '(optional)',
    checkInput: 'Please check your input',
    name: 'Name',
    email: 'E-mail address',
    emailRequired: 'Enter an e-mail address.',
    emailInvalid: 'Enter an e-mail address such as name@example.com.',
    emailInvalidOrEmpty: 'Enter an e-mail address such as name@example.com, or leave it empty.',
    tooLong: (limit) => `Use at most ${limit} characters.`,
    thanks: 'Thank you',
  },
  es: {
    noMoney: ' Aquí no se mueve dinero.',
    languages: 'Idioma',
    error: 'Error: ',
    declined: 'Rechazado: ',
    optional: '(opcional)',
    checkInput: 'Revise los datos',
    name: 'Nombre',
    email: 'Correo electrónico',
    emailRequired: 'Escriba un correo electrónico.',
    emailInvalid: 'Escriba un correo electrónico como nombre@example.com.',
    emailInvalidOrEmpty: 'Escriba un correo electrónico como nombre@example.com o deje el campo vacío.',
    tooLong: (limit) => `Use como máximo ${limit} caracteres.`,
    thanks: 'Gracias',
  },
})

/** The titles of error pages. */
export const ERROR_TEXTS = spoken({
  en: { notFound: 'Page not found', failed: 'Something went wrong', refused: 'Not possible' },
  es: { notFound: 'Página no encontrada', failed: 'Algo salió mal', refused: 'No es posible' },
})

/** What an error page says in Spanish. In English, it says the message of the refusal. */
export const REFUSALS_IN_SPANISH: Readonly<Record<Reason, string>> = {
  malformed: 'No se pudo leer lo que envió su navegador.',
  invalid: 'Los datos enviados no son válidos.',
  invalid_query: 'La dirección de esta página contiene un dato que no es válido.',
  invalid_cursor: 'La dirección de esta página contiene un dato que no es válido.',
  too_large: 'Lo que envió es más grande de lo que acepta esta página.',
  full: 'En este momento no hay espacio para guardar sus datos.',
  unsupported_media_type: 'Esta página no acepta datos en ese formato.',
  credential_missing: 'No tiene acceso a esta página.',
  credential_unknown: 'No tiene acceso a esta página.',
  credential_expired: 'Su acceso a esta página venció.',
  forbidden: 'No tiene acceso a esta página.',
  foreign: 'No se puede abrir esta página desde ese sitio.',
  not_enabled: 'Esta página no está disponible.',
  not_found: 'No hay ninguna página en esta dirección.',
  no_such_path: 'No hay ninguna página en esta dirección.',
  method_not_allowed: 'Esta página no acepta esa solicitud.',
  wrong_state: 'Esto ya no es posible en el estado actual.',
  conflict: 'Otro registro impide hacer esto.',
  no_way: 'No es posible llegar a ese estado.',
  rate_limited: 'Hizo demasiadas solicitudes. Espere un momento e inténtelo de nuevo.',
  unavailable: 'El servidor no está disponible en este momento. Inténtelo de nuevo más tarde.',
  internal: 'El servidor tuvo un error. Inténtelo de nuevo más tarde.',
}
