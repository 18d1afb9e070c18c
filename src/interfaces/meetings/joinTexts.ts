/** The texts of the page on which people join a meeting. */
import { spoken } from '../../state/text/languages.ts'

export const JOIN_TEXTS = spoken({
  en: {
    nameRequired: 'Enter your name.',
    cannotJoin: 'You cannot join',
    noConnections: 'The meeting admits no new connections.',
    inProgress: 'The meeting is in progress.',
    empty: 'Nobody is in the meeting.',
    admitsNone: 'It admits no new connections.',
    participants: 'Participants',
    you: ' (you)',
    joinAs: (name) => `You join as ${name}.`,
    join: 'Join',
    leave: 'Leave',
    end: 'End the meeting for all',
  },
  es: {
    nameRequired: 'Escriba su nombre.',
    cannotJoin: 'No puede unirse',
    noConnections: 'La reunión no admite nuevas conexiones.',
    inProgress: 'La reunión está en curso.',
    empty: 'No hay nadie en la reunión.',
    admitsNone: 'No admite nuevas conexiones.',
    participants: 'Participantes',
    you: ' (usted)',
    joinAs: (name) => `Usted se une como ${name}.`,
    join: 'Unirse',
    leave: 'Salir',
    end: 'Terminar la reunión para todos',
  },
})
