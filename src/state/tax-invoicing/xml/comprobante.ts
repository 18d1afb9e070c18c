/** The XML elements of a CFDI 4.0, in the order of the authority's schema. */
import { formatLineAmount, decimal } from '../documents/amounts.ts'
import { NATIONAL_GENERIC, PUBLIC_NAME } from '../taxpayers/taxpayers.ts'
import { element, elementUnlessEmpty, type Element } from './xml.ts'
import type { Concept, Issuer, Recipient, Relation, TaxLine, Taxes } from '../jsonColumns.ts'

/** A document without its seal and stamp. */
export interface Unsealed {
  readonly serie: string
  readonly folio: number
  /** "2026-11-21T12:00:00" */
  readonly fecha: string
  readonly certificate: { readonly number: string; readonly der: string }
  readonly type: string
  readonly emisor: Issuer
  readonly receptor: Recipient
  readonly conceptos: readonly Concept[]
  readonly impuestos: Taxes
  readonly relaciones: readonly Relation[]
  readonly subtotal: string
  readonly descuento: string | null
  readonly totalTrasladados: string
  readonly totalRetenidos: string
  readonly total: string
  readonly moneda: string
  readonly tipoCambio: string | null
  readonly metodoPago: string | null
  readonly formaPago: string | null
  readonly lugarExpedicion: string
  readonly exportacion: string
  /** Pagos 2.0, for payment receipts. */
  readonly complement: Element | null
}

const SCHEMAS = 'http://www.sat.gob.mx/cfd/4 http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd'
const PAYMENT_SCHEMAS =
  'http://www.sat.gob.mx/Pagos20 http://www.sat.gob.mx/sitio_internet/cfd/Pagos/Pagos20.xsd'

/** Builds the root element. While the seal and the stamp are computed, they are '' and null. */
export function comprobante(document: Unsealed, seal: string, stamp: Element | null): Element {
  const { complement } = document
  const withPayments = complement !== null
  return element(
    'cfdi:Comprobante',
    {
      'xmlns:cfdi': 'http://www.sat.gob.mx/cfd/4',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      ...(withPayments && { 'xmlns:pago20': 'http://www.sat.gob.mx/Pagos20' }),
      'xsi:schemaLocation': withPayments ? `${SCHEMAS} ${PAYMENT_SCHEMAS}` : SCHEMAS,
      Version: '4.0',
      Serie: document.serie,
      Folio: String(document.folio),
      Fecha: document.fecha,
      Sello: seal,
      FormaPago: document.formaPago,
      NoCertificado: document.certificate.number,
      Certificado: document.certificate.der,
      SubTotal: document.subtotal,
      Descuento: document.descuento,
      Moneda: document.moneda,
      TipoCambio: document.tipoCambio,
      Total: document.total,
      TipoDeComprobante: document.type,
      Exportacion: document.exportacion,
      MetodoPago: document.metodoPago,
      LugarExpedicion: document.lugarExpedicion,
    },
    [
      globalElement(document),
      ...document.relaciones.map(relationElement),
      element('cfdi:Emisor', {
        Rfc: document.emisor.rfc,
        Nombre: document.emisor.nombre,
        RegimenFiscal: document.emisor.regimenFiscal,
      }),
      recipientElement(document.receptor),
      element('cfdi:Conceptos', {}, document.conceptos.map(conceptElement)),
      documentTaxes(document),
      complement || stamp ? element('cfdi:Complemento', {}, [complement, stamp]) : null,
    ],
    { unsealed: ['Sello', 'Certificado'] },
  )
}

/** An invoice to the public covers the sales of its day (assumed), because the specification has no field for the period. */
const globalElement = ({ type, receptor: { rfc, nombre }, fecha }: Unsealed): Element | null =>
  type === 'I' && rfc === NATIONAL_GENERIC && nombre === PUBLIC_NAME
    ? element('cfdi:InformacionGlobal', {
        Periodicidad: '01',
        Meses: fecha.slice(5, 7),
        Año: fecha.slice(0, 4),
      })
    : null

const relationElement = ({ tipoRelacion, uuids }: Relation): Element =>
  element(
    'cfdi:CfdiRelacionados',
    { TipoRelacion: tipoRelacion },
    uuids.map((uuid) => element('cfdi:CfdiRelacionado', { UUID: uuid })),
  )

const recipientElement = (recipient: Recipient): Element =>
  element('cfdi:Receptor', {
    Rfc: recipient.rfc,
    Nombre: recipient.nombre,
    DomicilioFiscalReceptor: recipient.domicilioFiscal,
    ResidenciaFiscal: recipient.residenciaFiscal,
    NumRegIdTrib: recipient.numRegIdTrib,
    RegimenFiscalReceptor: recipient.regimenFiscal,
    UsoCFDI: recipient.usoCfdi,
  })

const conceptElement = (concept: Concept): Element => {
  const { traslados, retenciones } = concept.impuestos
  const taxes = [
    elementUnlessEmpty(
      'cfdi:Traslados',
      traslados.map((line) => element('cfdi:Traslado', taxAttributes(line))),
    ),
    elementUnlessEmpty(
      'cfdi:Retenciones',
      retenciones.map((line) => element('cfdi:Retencion', taxAttributes(line))),
    ),
  ].filter((each) => each !== null)
  return element(
    'cfdi:Concepto',
    {
      ClaveProdServ: concept.claveProdServ,
      NoIdentificacion: concept.noIdentificacion,
      Cantidad: concept.cantidad,
      ClaveUnidad: concept.claveUnidad,
      Unidad: concept.unidad,
      Descripcion: concept.descripcion,
      ValorUnitario: isReceiptLine(concept)
        ? concept.valorUnitario
        : formatLineAmount(decimal(concept.valorUnitario)),
      Importe: concept.importe,
      Descuento: concept.descuento,
      ObjetoImp: concept.objetoImp,
    },
    [elementUnlessEmpty('cfdi:Impuestos', taxes)],
  )
}

/** The line of a payment receipt has amounts without decimals. */
const isReceiptLine = ({ importe }: Concept): boolean => importe === '0'

const taxAttributes = ({ base, impuesto, tipoFactor, tasa, importe }: TaxLine) => ({
  Base: base,
  Impuesto: impuesto,
  TipoFactor: tipoFactor,
  TasaOCuota: tasa,
  Importe: importe,
})

/** Builds the taxes of the document. In the sealed text, each sum follows its parts. */
function documentTaxes({ impuestos, totalTrasladados, totalRetenidos }: Unsealed): Element | null {
  const { traslados, retenciones } = impuestos
  if (traslados.length + retenciones.length === 0) return null
  const charged = elementUnlessEmpty(
    'cfdi:Traslados',
    traslados.map((line) => element('cfdi:Traslado', taxAttributes(line))),
  )
  const withheld = elementUnlessEmpty(
    'cfdi:Retenciones',
    retenciones.map(({ impuesto, importe }) =>
      element('cfdi:Retencion', { Impuesto: impuesto, Importe: importe }),
    ),
  )
  // If all lines are exempt, the sum is left out.
  const hasSum = traslados.some(({ importe }) => importe !== null)
  return element(
    'cfdi:Impuestos',
    {
      TotalImpuestosRetenidos: withheld && totalRetenidos,
      TotalImpuestosTrasladados: hasSum ? totalTrasladados : null,
    },
    [withheld, charged],
    {
      sealed: [
        ...(withheld ? [withheld, totalRetenidos] : []),
        ...(charged ? [charged] : []),
        ...(hasSum ? [totalTrasladados] : []),
      ],
    },
  )
}
