/** Seals a valid document with the key of the issuer, and stamps it with the key of the authorized provider. */
import { DateTime } from 'luxon'
import type { Workspace } from '../../workspace/workspace.ts'
import { currentCertificate } from './certificates.ts'
import { comprobante, type Unsealed } from './comprobante.ts'
import { ISSUER_TIMEZONE } from '../taxpayers/issuer.ts'
import {
  issuerCertificate,
  issuerCertificateOf,
  sealOf,
  stampOf,
  stamperCertificate,
  STAMPER_RFC,
} from './sealing.ts'
import { element, sealedText, writeXml, type Element } from './xml.ts'

const TFD = 'http://www.sat.gob.mx/TimbreFiscalDigital'

/** Formats an instant for the XML: the local time of the issuer without an offset. */
export const localTime = (instant: number): string =>
  DateTime.fromMillis(instant, { zone: ISSUER_TIMEZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss")

/** A document without the data that the seal adds. */
export type Unstamped = Omit<Unsealed, 'fecha' | 'certificate'>

/** Seals and stamps a document at `now`. Returns its XML. Call it inside a `write`. */
export function stampNow(workspace: Workspace, now: number, uuid: string, document: Unstamped): string {
  const fecha = localTime(now)
  return sealAndStamp(uuid, {
    ...document,
    fecha,
    certificate: issuerCertificate(currentCertificate(workspace).number),
  })
}

/** Seals and stamps a document as of an earlier instant, with the certificate of that day. Returns its XML. */
export function stampAsOf(instant: number, uuid: string, document: Unstamped): string {
  const fecha = localTime(instant)
  return sealAndStamp(uuid, { ...document, fecha, certificate: issuerCertificateOf(fecha.slice(0, 10)) })
}

function sealAndStamp(uuid: string, document: Unsealed): string {
  const seal = sealOf(sealedText(comprobante(document, '', null)))
  return writeXml(comprobante(document, seal, stampElement(uuid, document.fecha, seal)))
}

function stampElement(uuid: string, fecha: string, seal: string): Element {
  const { number } = stamperCertificate(fecha.slice(0, 10))
  const attributes = {
    Version: '1.1',
    UUID: uuid,
    FechaTimbrado: fecha,
    RfcProvCertif: STAMPER_RFC,
    SelloCFD: seal,
    NoCertificadoSAT: number,
  }
  const text = stampText(attributes)
  return element('tfd:TimbreFiscalDigital', {
    'xmlns:tfd': TFD,
    'xsi:schemaLocation': `${TFD} ${TFD.replace('TimbreFiscalDigital', 'sitio_internet/cfd/TimbreFiscalDigital')}/TimbreFiscalDigitalv11.xsd`,
    ...attributes,
    SelloSAT: stampOf(text),
  })
}

/** Returns the text that the provider seals (cadena original of the stamp). */
export const stampText = (attributes: Readonly<Record<string, string>>): string =>
  sealedText(element('tfd:TimbreFiscalDigital', attributes))
