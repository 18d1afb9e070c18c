/** The texts of e-mails about applications and interviews. */
import { spoken } from '../text/languages.ts'

export const EMAIL_TEXTS = spoken({
  en: {
    dear: (name) => `Dear ${name},`,
    receivedSubject: (title, name) => `We received your application: ${title}, ${name}`,
    received: 'Thank you for your application. We received it and will contact you about the next steps.',
    automatic: 'This is an automatic message. Replies to it are not read.',
    stageSubject: (title) => `Your application: ${title}`,
    interview: (title, name) => `Interview for ${title} with ${name}`,
    reason: (reason) => `Reason: ${reason}`,
    subjects: { invited: 'Invitation', rescheduled: 'New time', cancelled: 'Cancelled' },
    firstLines: {
      invited: 'you are invited to an interview.',
      rescheduled: 'the interview has a new time.',
      cancelled: 'the interview will not take place.',
    },
    stages: {
      new: 'Your application has been received.',
      reviewing: 'We are looking at your application.',
      shortlisted: 'You are among the candidates whom we would like to get to know better.',
      interview: 'We would like to talk to you. You will hear from us about a time.',
      offer: 'We would like to make you an offer. You will hear from us about the details.',
      hired: 'Welcome! You have got the position.',
      rejected: 'We have decided to go on with other candidates. Thank you for your interest.',
    },
  },
  es: {
    dear: (name) => `Hola, ${name}:`,
    receivedSubject: (title, name) => `Recibimos su postulación: ${title}, ${name}`,
    received: 'Gracias por postularse. Recibimos su postulación y le avisaremos de los próximos pasos.',
    automatic: 'Este es un mensaje automático. No se leen las respuestas.',
    stageSubject: (title) => `Su postulación: ${title}`,
    interview: (title, name) => `Entrevista para ${title} con ${name}`,
    reason: (reason) => `Motivo: ${reason}`,
    subjects: { invited: 'Invitación', rescheduled: 'Nuevo horario', cancelled: 'Cancelada' },
    firstLines: {
      invited: 'Le invitamos a una entrevista.',
      rescheduled: 'La entrevista tiene un nuevo horario.',
      cancelled: 'La entrevista no se realizará.',
    },
    stages: {
      new: 'Recibimos su postulación.',
      reviewing: 'Estamos revisando su postulación.',
      shortlisted: 'Usted está entre las personas a quienes nos gustaría conocer mejor.',
      interview: 'Nos gustaría hablar con usted. Le avisaremos del horario.',
      offer: 'Nos gustaría hacerle una oferta. Le daremos los detalles.',
      hired: '¡Le damos la bienvenida! El puesto es suyo.',
      rejected: 'Decidimos continuar el proceso con otras personas. Gracias por su interés.',
    },
  },
})
