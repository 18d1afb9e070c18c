/** The texts of form pages and their script. What a form asks is its author's. */
import { spoken } from '../../state/text/languages.ts'

export const FORM_TEXTS = spoken({
  en: {
    received: 'We have received your answers.',
    answered: 'Answered',
    send: 'Send',
    next: 'Next',
    back: 'Back',
    of: (answered, all) => `${answered} of ${all} answered`,
    chooseOne: 'Choose at least one.',
    chooseMin: (min) => `Choose at least ${min}.`,
    chooseMax: (max) => `Choose at most ${max}.`,
    onlyIf: (label, words) => `Only if “${label}” ${words}.`,
    conditions: {
      equals: (value) => `is ${value}`,
      not_equals: (value) => `is not ${value}`,
      contains: (value) => `has ${value}`,
      answered: 'is answered',
    },
  },
  es: {
    received: 'Recibimos sus respuestas.',
    answered: 'Respondidas',
    send: 'Enviar',
    next: 'Siguiente',
    back: 'Atrás',
    of: (answered, all) => `${answered} de ${all} respondidas`,
    chooseOne: 'Elija al menos una opción.',
    chooseMin: (min) => `Elija al menos ${min}.`,
    chooseMax: (max) => `Elija como máximo ${max}.`,
    onlyIf: (label, words) => `Solo si “${label}” ${words}.`,
    conditions: {
      equals: (value) => `es ${value}`,
      not_equals: (value) => `no es ${value}`,
      contains: (value) => `contiene ${value}`,
      answered: 'tiene respuesta',
    },
  },
})
