/** The texts of e-mails to agents, and to the user who imports or exports contacts. */
import { spoken } from '../../state/text/languages.ts'

export const EMAIL_TEXTS = spoken({
  en: {
    invitedTo: (account) => `You are invited to ${account}`,
    hello: (name) => `Hello ${name},`,
    asRole: (account, role) => `you are invited to answer conversations of ${account} as ${role}.`,
    roles: { agent: 'agent', administrator: 'administrator' },
    imported: 'Contact import completed',
    ofAll: (imported, all) => `${imported} of ${all} contacts were imported.`,
    counts: (created, updated, refused) => `Created: ${created}. Updated: ${updated}. Refused: ${refused}.`,
    warnings: (count) => `Warnings: ${count}.`,
    exported: 'Your contact export is ready',
    inFile: (count) => `${count} contacts are in the attached file.`,
  },
  es: {
    invitedTo: (account) => `Invitación a ${account}`,
    hello: (name) => `Hola, ${name}:`,
    asRole: (account, role) =>
      `Le invitamos a atender las conversaciones de ${account} con el rol de ${role}.`,
    roles: { agent: 'agente', administrator: 'administrador' },
    imported: 'La importación de contactos terminó',
    ofAll: (imported, all) => `Contactos importados: ${imported} de ${all}.`,
    counts: (created, updated, refused) =>
      `Creados: ${created}. Actualizados: ${updated}. Rechazados: ${refused}.`,
    warnings: (count) => `Advertencias: ${count}.`,
    exported: 'Su exportación de contactos está lista',
    inFile: (count) => `Contactos en el archivo adjunto: ${count}.`,
  },
})
