/** The wire fields of clients and products of tax invoicing. */
import type { Static } from '@sinclair/typebox'
import { instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { clients, products, type Tax } from '../../state/tax-invoicing/tables.ts'
import type { Client } from './schemas/clients.ts'
import type { Product } from './schemas/products.ts'
import { taxView } from './views.ts'

export const clientFields: Fields<Static<typeof Client>> = {
  id: clients.id,
  rfc: clients.rfc,
  nombre: clients.nombre,
  regimen_fiscal: clients.regimenFiscal,
  domicilio_fiscal: clients.domicilioFiscal,
  uso_cfdi_default: clients.usoCfdiDefault,
  email: clients.email,
  telefono: clients.telefono,
  invoice_count: clients.invoiceCount,
  total_facturado: computed([clients.invoicedCents], ([cents]) => cents / 100),
  created_at: instant(clients.createdAt),
}

const taxViews = (taxes: readonly Tax[]) => taxes.map(taxView)

export const productFields: Fields<Static<typeof Product>> = {
  id: products.id,
  nombre_interno: products.nombreInterno,
  clave_prod_serv: products.claveProdServ,
  descripcion: products.descripcion,
  clave_unidad: products.claveUnidad,
  valor_unitario: computed([products.valorUnitario], ([price]) => Number(price)),
  objeto_imp: products.objetoImp,
  impuestos: computed([products.impuestos], ([{ traslados, retenciones }]) => ({
    traslados: taxViews(traslados),
    retenciones: taxViews(retenciones),
  })),
  usage_count: products.usageCount,
  created_at: instant(products.createdAt),
}
