/** The texts of the page on which a recipient decides on a cancellation. */
import { spoken } from '../../state/text/languages.ts'

export const RECIPIENT_TEXTS = spoken({
  en: {
    alreadyDecided: 'This cancellation was already decided',
    choose: 'Choose accept or reject',
    invoice: 'Invoice',
    uuid: 'UUID',
    issuedBy: 'Issued by',
    to: 'To',
    date: 'Date',
    cancelled: 'This invoice is cancelled',
    cancelledOn: (moment) => `Cancelled on ${moment}.`,
    active: 'This invoice is active',
    notRequested: 'No cancellation was requested.',
    hadDependents: (moment) =>
      `Its cancellation was rejected on ${moment}, because a payment receipt or a credit note was active.`,
    youRejected: (moment) => `You rejected its cancellation on ${moment}.`,
    asks: (name) => `${name} asks to cancel this invoice`,
    motive: (motive) => `${motive}.`,
    lapses: (moment) => `If you do not respond by ${moment}, it is cancelled.`,
    accept: 'Accept cancellation',
    reject: 'Reject cancellation',
  },
  es: {
    alreadyDecided: 'Esta cancelación ya se resolvió',
    choose: 'Elija aceptar o rechazar',
    invoice: 'Factura',
    uuid: 'Folio fiscal',
    issuedBy: 'Emisor',
    to: 'Receptor',
    date: 'Fecha',
    cancelled: 'Esta factura está cancelada',
    cancelledOn: (moment) => `Se canceló el ${moment}.`,
    active: 'Esta factura está vigente',
    notRequested: 'No se ha solicitado su cancelación.',
    hadDependents: (moment) =>
      `Su cancelación se rechazó el ${moment} porque había un recibo de pago o una nota de crédito vigente.`,
    youRejected: (moment) => `Usted rechazó su cancelación el ${moment}.`,
    asks: (name) => `${name} solicita cancelar esta factura`,
    motive: (motive) => `Motivo: ${motive}.`,
    lapses: (moment) => `Si no responde a más tardar el ${moment}, quedará cancelada.`,
    accept: 'Aceptar la cancelación',
    reject: 'Rechazar la cancelación',
  },
})
