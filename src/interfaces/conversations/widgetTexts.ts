/** The texts of the web widget and its script. */
import { spoken } from '../../state/text/languages.ts'

export const WIDGET_TEXTS = spoken({
  en: {
    messageRequired: 'Enter a message.',
    nameRequired: 'Enter your name.',
    emailInvalid: 'This is not an e-mail address.',
    start: 'Start conversation',
    startNew: 'Start a new conversation',
    messages: 'Messages',
    message: 'Message',
    send: 'Send',
    you: 'You',
    connecting: 'Connecting',
    live: 'Live',
    reconnecting: 'Reconnecting',
    ended: 'Disconnected. This conversation is no longer available. Start a new one.',
    notSent: 'Not sent. Try again.',
  },
  es: {
    messageRequired: 'Escriba un mensaje.',
    nameRequired: 'Escriba su nombre.',
    emailInvalid: 'Esta no es una dirección de correo electrónico.',
    start: 'Iniciar conversación',
    startNew: 'Iniciar una conversación nueva',
    messages: 'Mensajes',
    message: 'Mensaje',
    send: 'Enviar',
    you: 'Usted',
    connecting: 'Conectando',
    live: 'En línea',
    reconnecting: 'Reconectando',
    ended: 'Desconectado. Esta conversación ya no está disponible. Inicie una nueva.',
    notSent: 'No se envió. Inténtelo de nuevo.',
  },
})
