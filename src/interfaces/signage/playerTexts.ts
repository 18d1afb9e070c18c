/** The texts of the player and its script. */
import { spoken } from '../../state/text/languages.ts'

export const PLAYER_TEXTS = spoken({
  en: {
    needsScripts: 'The player needs scripts to run.',
    pair: 'Pair a screen',
    notPaired: 'This screen is not paired',
    howToPair:
      'Show a pairing code, then pair the screen with POST /screens. The code expires after 15 minutes.',
    showCode: 'Show a code',
    code: 'Pairing code',
    codeIs: (code) => `Pairing code ${code}`,
    startsWhenPaired: 'This screen starts to play when it is paired.',
    checkAgain: 'Check again',
    loading: 'Loading the current content',
    nothing: 'Nothing to show',
    nothingUntil: (moment) => `Nothing to show until ${moment}`,
    unreachable: 'The server cannot be reached.',
  },
  es: {
    needsScripts: 'El reproductor necesita JavaScript para funcionar.',
    pair: 'Vincular una pantalla',
    notPaired: 'Esta pantalla no está vinculada',
    howToPair:
      'Muestre un código de vinculación y vincule la pantalla con POST /screens. El código vence a los 15 minutos.',
    showCode: 'Mostrar un código',
    code: 'Código de vinculación',
    codeIs: (code) => `Código de vinculación ${code}`,
    startsWhenPaired: 'La pantalla empezará a reproducir su contenido cuando esté vinculada.',
    checkAgain: 'Consultar de nuevo',
    loading: 'Cargando el contenido actual',
    nothing: 'No hay contenido para mostrar',
    nothingUntil: (moment) => `No hay contenido para mostrar hasta el ${moment}`,
    unreachable: 'No se puede conectar con el servidor.',
  },
})
