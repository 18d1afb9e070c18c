/** The texts of invitations to meetings. */
import { spoken } from '../text/languages.ts'

export const EMAIL_TEXTS = spoken({
  en: {
    dear: (name) => `Dear ${name},`,
    subjects: { invited: 'Invitation', time: 'New time', title: 'New title' },
    firstLines: {
      invited: 'you are invited to a meeting.',
      time: 'the meeting has a new time.',
      title: 'the meeting has a new title.',
    },
    invites: (name, title) => `${name} invites you to ${title}.`,
    join: (url) => `Join: ${url}`,
  },
  es: {
    dear: (name) => `Hola, ${name}:`,
    subjects: { invited: 'Invitación', time: 'Nuevo horario', title: 'Nuevo título' },
    firstLines: {
      invited: 'Le invitamos a una reunión.',
      time: 'La reunión tiene un nuevo horario.',
      title: 'La reunión tiene un nuevo título.',
    },
    invites: (name, title) => `${name} le invita a ${title}.`,
    join: (url) => `Para unirse: ${url}`,
  },
})
