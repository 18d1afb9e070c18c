/** From a document that is in order to one that is sealed by its issuer and stamped by the authorized provider. */
import { DateTime } from 'luxon'
import type { Workspace } from '../workspace.ts'
import { currentCertificate } from './certificates.ts'
import { comprobante, type Unsealed } from './comprobante.ts'
import { ISSUER_TIMEZONE } from './issuer.ts'
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

/** What an XML shows of an instant: what the clocks of the issuer do, without a zone. */
export const localTime = (instant: number): string =>
  DateTime.fromMillis(instant, { zone: ISSUER_TIMEZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss")

/** A document without what its seal and its stamp are made of. */
export type Unstamped = Omit<Unsealed, 'fecha' | 'certificate'>

/** The XML of a document that is sealed and stamped at this moment. Only inside a `write`. */
export function stamped(workspace: Workspace, uuid: string, told: Unstamped): string {
  const fecha = localTime(workspace.now())
  return sealed(uuid, {
    ...told,
    fecha,
    certificate: issuerCertificate(currentCertificate(workspace).number),
  })
}

/** The same of a document that was stamped before, with the certificate that held then. */
export function stampedAt(instant: number, uuid: string, told: Unstamped): string {
  const fecha = localTime(instant)
  return sealed(uuid, { ...told, fecha, certificate: issuerCertificateOf(fecha.slice(0, 10)) })
}

function sealed(uuid: string, document: Unsealed): string {
  const seal = sealOf(sealedText(comprobante(document, '', null)))
  return writeXml(comprobante(document, seal, stampElement(uuid, document.fecha, seal)))
}

function stampElement(uuid: string, fecha: string, seal: string): Element {
  const { number } = stamperCertificate(fecha.slice(0, 10))
  const sealed = {
    Version: '1.1',
    UUID: uuid,
    FechaTimbrado: fecha,
    RfcProvCertif: STAMPER_RFC,
    SelloCFD: seal,
    NoCertificadoSAT: number,
  }
  const text = stampText(sealed)
  return element('tfd:TimbreFiscalDigital', {
    'xmlns:tfd': TFD,
    'xsi:schemaLocation': `${TFD} ${TFD.replace('TimbreFiscalDigital', 'sitio_internet/cfd/TimbreFiscalDigital')}/TimbreFiscalDigitalv11.xsd`,
    ...sealed,
    SelloSAT: stampOf(text),
  })
}

/** What the provider seals (cadena original of the stamp). */
export const stampText = (attributes: Readonly<Record<string, string>>): string =>
  sealedText(element('tfd:TimbreFiscalDigital', attributes))
