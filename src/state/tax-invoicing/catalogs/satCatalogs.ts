/**
 * The small catalogs of the Mexican tax authority, complete, from the public catalogs of CFDI 4.0 as of August 2026. For the
 * large ones, see largeCatalogs.ts.
 */
import type { PersonKind } from '../taxpayers/rfc.ts'

export interface CatalogEntry {
  readonly clave: string
  readonly descripcion: string
}

export interface ForPersons extends CatalogEntry {
  /** The kinds of taxpayers that can use it. */
  readonly personas: readonly PersonKind[]
}

/** A catalog by its keys, in the order of the authority. */
type Catalog<Entry extends CatalogEntry = CatalogEntry> = ReadonlyMap<string, Entry>

const catalog = <Entry extends CatalogEntry>(entries: readonly Entry[]): Catalog<Entry> =>
  new Map(entries.map((entry) => [entry.clave, entry]))

const plain = (...pairs: readonly (readonly [clave: string, descripcion: string])[]): Catalog =>
  catalog(pairs.map(([clave, descripcion]) => ({ clave, descripcion })))

const BOTH: readonly PersonKind[] = ['fisica', 'moral']
const FISICA: readonly PersonKind[] = ['fisica']
const MORAL: readonly PersonKind[] = ['moral']

/** c_RegimenFiscal */
export const TAX_REGIMES: Catalog<ForPersons> = catalog([
  { clave: '601', descripcion: 'General de Ley Personas Morales', personas: MORAL },
  { clave: '603', descripcion: 'Personas Morales con Fines no Lucrativos', personas: MORAL },
  { clave: '605', descripcion: 'Sueldos y Salarios e Ingresos Asimilados a Salarios', personas: FISICA },
  { clave: '606', descripcion: 'Arrendamiento', personas: FISICA },
  { clave: '607', descripcion: 'Régimen de Enajenación o Adquisición de Bienes', personas: FISICA },
  { clave: '608', descripcion: 'Demás ingresos', personas: FISICA },
  {
    clave: '610',
    descripcion: 'Residentes en el Extranjero sin Establecimiento Permanente en México',
    personas: BOTH,
  },
  { clave: '611', descripcion: 'Ingresos por Dividendos (socios y accionistas)', personas: FISICA },
  {
    clave: '612',
    descripcion: 'Personas Físicas con Actividades Empresariales y Profesionales',
    personas: FISICA,
  },
  { clave: '614', descripcion: 'Ingresos por intereses', personas: FISICA },
  { clave: '615', descripcion: 'Régimen de los ingresos por obtención de premios', personas: FISICA },
  { clave: '616', descripcion: 'Sin obligaciones fiscales', personas: FISICA },
  {
    clave: '620',
    descripcion: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
    personas: MORAL,
  },
  { clave: '621', descripcion: 'Incorporación Fiscal', personas: FISICA },
  { clave: '622', descripcion: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras', personas: MORAL },
  { clave: '623', descripcion: 'Opcional para Grupos de Sociedades', personas: MORAL },
  { clave: '624', descripcion: 'Coordinados', personas: MORAL },
  {
    clave: '625',
    descripcion: 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
    personas: FISICA,
  },
  { clave: '626', descripcion: 'Régimen Simplificado de Confianza', personas: BOTH },
])

export interface CfdiUse extends ForPersons {
  /** The regimes of recipients that can use it. */
  readonly regimenes: readonly string[]
}

/** c_UsoCFDI */
export const CFDI_USES: Catalog<CfdiUse> = catalog([
  {
    clave: 'G01',
    descripcion: 'Adquisición de mercancías.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'G02',
    descripcion: 'Devoluciones, descuentos o bonificaciones.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '616', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'G03',
    descripcion: 'Gastos en general.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I01',
    descripcion: 'Construcciones.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I02',
    descripcion: 'Mobiliario y equipo de oficina por inversiones.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I03',
    descripcion: 'Equipo de transporte.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I04',
    descripcion: 'Equipo de computo y accesorios.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I05',
    descripcion: 'Dados, troqueles, moldes, matrices y herramental.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I06',
    descripcion: 'Comunicaciones telefónicas.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I07',
    descripcion: 'Comunicaciones satelitales.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'I08',
    descripcion: 'Otra maquinaria y equipo.',
    personas: BOTH,
    regimenes: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  },
  {
    clave: 'D01',
    descripcion: 'Honorarios médicos, dentales y gastos hospitalarios.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D02',
    descripcion: 'Gastos médicos por incapacidad o discapacidad.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D03',
    descripcion: 'Gastos funerales.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D04',
    descripcion: 'Donativos.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D05',
    descripcion: 'Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación).',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D06',
    descripcion: 'Aportaciones voluntarias al SAR.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D07',
    descripcion: 'Primas por seguros de gastos médicos.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D08',
    descripcion: 'Gastos de transportación escolar obligatoria.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D09',
    descripcion: 'Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones.',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'D10',
    descripcion: 'Pagos por servicios educativos (colegiaturas).',
    personas: FISICA,
    regimenes: ['605', '606', '608', '611', '612', '614', '607', '615', '625'],
  },
  {
    clave: 'S01',
    descripcion: 'Sin efectos fiscales.',
    personas: BOTH,
    regimenes: [
      '601',
      '603',
      '605',
      '606',
      '608',
      '610',
      '611',
      '612',
      '614',
      '616',
      '620',
      '621',
      '622',
      '623',
      '624',
      '607',
      '615',
      '625',
      '626',
    ],
  },
  {
    clave: 'CP01',
    descripcion: 'Pagos',
    personas: BOTH,
    regimenes: [
      '601',
      '603',
      '605',
      '606',
      '608',
      '610',
      '611',
      '612',
      '614',
      '616',
      '620',
      '621',
      '622',
      '623',
      '624',
      '607',
      '615',
      '625',
      '626',
    ],
  },
  { clave: 'CN01', descripcion: 'Nómina', personas: FISICA, regimenes: ['605'] },
])

export interface PaymentForm extends CatalogEntry {
  /** The pattern of the payer's account; null if account and bank are not allowed. */
  readonly cuentaOrdenante: RegExp | null
  /** The pattern of the payee's account; null if account and bank are not allowed. */
  readonly cuentaBeneficiaria: RegExp | null
}

/** c_FormaPago */
export const PAYMENT_FORMS: Catalog<PaymentForm> = catalog([
  {
    clave: '01',
    descripcion: 'Efectivo',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '02',
    descripcion: 'Cheque nominativo',
    cuentaOrdenante: /^(?:[0-9]{11}|[0-9]{18})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
  },
  {
    clave: '03',
    descripcion: 'Transferencia electrónica de fondos',
    cuentaOrdenante: /^(?:[0-9]{10}|[0-9]{16}|[0-9]{18})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10}|[0-9]{18})$/,
  },
  {
    clave: '04',
    descripcion: 'Tarjeta de crédito',
    cuentaOrdenante: /^(?:[0-9]{16})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
  },
  {
    clave: '05',
    descripcion: 'Monedero electrónico',
    cuentaOrdenante: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
  },
  {
    clave: '06',
    descripcion: 'Dinero electrónico',
    cuentaOrdenante: /^(?:[0-9]{10})$/,
    cuentaBeneficiaria: null,
  },
  {
    clave: '08',
    descripcion: 'Vales de despensa',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '12',
    descripcion: 'Dación en pago',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '13',
    descripcion: 'Pago por subrogación',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '14',
    descripcion: 'Pago por consignación',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '15',
    descripcion: 'Condonación',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '17',
    descripcion: 'Compensación',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '23',
    descripcion: 'Novación',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '24',
    descripcion: 'Confusión',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '25',
    descripcion: 'Remisión de deuda',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '26',
    descripcion: 'Prescripción o caducidad',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '27',
    descripcion: 'A satisfacción del acreedor',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '28',
    descripcion: 'Tarjeta de débito',
    cuentaOrdenante: /^(?:[0-9]{16})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
  },
  {
    clave: '29',
    descripcion: 'Tarjeta de servicios',
    cuentaOrdenante: /^(?:[0-9]{15,16})$/,
    cuentaBeneficiaria: /^(?:[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50})$/,
  },
  {
    clave: '30',
    descripcion: 'Aplicación de anticipos',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '31',
    descripcion: 'Intermediario pagos',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
  {
    clave: '99',
    descripcion: 'Por definir',
    cuentaOrdenante: null,
    cuentaBeneficiaria: null,
  },
])

/** c_MetodoPago */
export const PAYMENT_METHODS: Catalog = plain(
  ['PUE', 'Pago en una sola exhibición'],
  ['PPD', 'Pago en parcialidades o diferido'],
)

/** c_ObjetoImp */
export const OBJECT_CODES: Catalog = plain(
  ['01', 'No objeto de impuesto.'],
  ['02', 'Sí objeto de impuesto.'],
  ['03', 'Sí objeto del impuesto y no obligado al desglose.'],
  ['04', 'Sí objeto del impuesto y no causa impuesto.'],
  ['05', 'Sí objeto del impuesto, IVA crédito PODEBI.'],
  ['06', 'Sí objeto del IVA, No traslado IVA.'],
  ['07', 'No traslado del IVA, Sí desglose IEPS.'],
  ['08', 'No traslado del IVA, No desglose IEPS.'],
)

/** c_TipoRelacion */
export const RELATIONS: Catalog = plain(
  ['01', 'Nota de crédito de los documentos relacionados'],
  ['02', 'Nota de débito de los documentos relacionados'],
  ['03', 'Devolución de mercancía sobre facturas o traslados previos'],
  ['04', 'Sustitución de los CFDI previos'],
  ['05', 'Traslados de mercancías facturados previamente'],
  ['06', 'Factura generada por los traslados previos'],
  ['07', 'CFDI por aplicación de anticipo'],
)

/** c_Periodicidad, of invoices to the public. */
export const PERIODICITIES: Catalog = plain(
  ['01', 'Diario'],
  ['02', 'Semanal'],
  ['03', 'Quincenal'],
  ['04', 'Mensual'],
  ['05', 'Bimestral'],
)

/** c_Meses: months, and pairs of them for PERIODICITIES of two months. */
export const MONTHS: Catalog = plain(
  ['01', 'Enero'],
  ['02', 'Febrero'],
  ['03', 'Marzo'],
  ['04', 'Abril'],
  ['05', 'Mayo'],
  ['06', 'Junio'],
  ['07', 'Julio'],
  ['08', 'Agosto'],
  ['09', 'Septiembre'],
  ['10', 'Octubre'],
  ['11', 'Noviembre'],
  ['12', 'Diciembre'],
  ['13', 'Enero-Febrero'],
  ['14', 'Marzo-Abril'],
  ['15', 'Mayo-Junio'],
  ['16', 'Julio-Agosto'],
  ['17', 'Septiembre-Octubre'],
  ['18', 'Noviembre-Diciembre'],
)

/** c_Exportacion */
export const EXPORTS: Catalog = plain(
  ['01', 'No aplica'],
  ['02', 'Definitiva con clave A1'],
  ['03', 'Temporal'],
  ['04', 'Definitiva con clave distinta a A1 o cuando no existe enajenación en términos del CFF'],
)

/** c_MotivoCancelacion */
export const CANCELLATION_MOTIVES: Catalog = plain(
  ['01', 'Comprobante emitido con errores con relación'],
  ['02', 'Comprobante emitido con errores sin relación'],
  ['03', 'No se llevó a cabo la operación'],
  ['04', 'Operación nominativa relacionada en una factura global'],
)

/** c_TipoDeComprobante */
export const INVOICE_KINDS: Catalog = plain(
  ['I', 'Ingreso'],
  ['E', 'Egreso'],
  ['T', 'Traslado'],
  ['N', 'Nómina'],
  ['P', 'Pago'],
)

export interface TaxKind extends CatalogEntry {
  /** Whether it can be charged, and whether it can be withheld. */
  readonly traslado: boolean
  readonly retencion: boolean
}

/** c_Impuesto */
export const TAXES: Catalog<TaxKind> = catalog([
  { clave: '001', descripcion: 'ISR', traslado: false, retencion: true },
  { clave: '002', descripcion: 'IVA', traslado: true, retencion: true },
  { clave: '003', descripcion: 'IEPS', traslado: true, retencion: true },
])

export interface CurrencyEntry extends CatalogEntry {
  /** The number of decimals of amounts. */
  readonly decimales: number
}

/** c_Moneda */
export const currencies = (): Catalog<CurrencyEntry> =>
  (knownCurrencies ??= catalog(
    CURRENCY_LINES.split('\n').map((line) => {
      const [clave = '', decimales = '', descripcion = ''] = line.split('|')
      return { clave, decimales: Number(decimales), descripcion }
    }),
  ))

let knownCurrencies: Catalog<CurrencyEntry> | undefined

const CURRENCY_LINES = `AED|2|Dirham de EAU
AFN|2|Afghani
ALL|2|Lek
AMD|2|Dram armenio
ANG|2|Florín antillano neerlandés
AOA|2|Kwanza
ARS|2|Peso Argentino
AUD|2|Dólar Australiano
AWG|2|Aruba Florin
AZN|2|Azerbaijanian Manat
BAM|2|Convertibles marca
BBD|2|Dólar de Barbados
BDT|2|Taka
BGN|2|Lev búlgaro
BHD|3|Dinar de Bahrein
BIF|0|Burundi Franc
BMD|2|Dólar de Bermudas
BND|2|Dólar de Brunei
BOB|2|Boliviano
BOV|2|Mvdol
BRL|2|Real brasileño
BSD|2|Dólar de las Bahamas
BTN|2|Ngultrum
BWP|2|Pula
BYR|0|Rublo bielorruso
BZD|2|Dólar de Belice
CAD|2|Dólar Canadiense
CDF|2|Franco congoleño
CHE|2|WIR Euro
CHF|2|Franco Suizo
CHW|2|Franc WIR
CLF|4|Unidad de Fomento
CLP|0|Peso chileno
CNH|2|Yuan extracontinental (China )
CNY|2|Yuan Renminbi
COP|2|Peso Colombiano
COU|2|Unidad de Valor real
CRC|2|Colón costarricense
CUC|2|Peso Convertible
CUP|2|Peso Cubano
CVE|2|Cabo Verde Escudo
CZK|2|Corona checa
DJF|0|Franco de Djibouti
DKK|2|Corona danesa
DOP|2|Peso Dominicano
DZD|2|Dinar argelino
EGP|2|Libra egipcia
ERN|2|Nakfa
ESD|2|Dólar de Ecuador
ETB|2|Birr etíope
EUR|2|Euro
FJD|2|Dólar de Fiji
FKP|2|Libra malvinense
GBP|2|Libra Esterlina
GEL|2|Lari
GHS|2|Cedi de Ghana
GIP|2|Libra de Gibraltar
GMD|2|Dalasi
GNF|0|Franco guineano
GTQ|2|Quetzal
GYD|2|Dólar guyanés
HKD|2|Dólar De Hong Kong
HNL|2|Lempira
HRK|2|Kuna
HTG|2|Gourde
HUF|2|Florín
IDR|2|Rupia
ILS|2|Nuevo Shekel Israelí
INR|2|Rupia india
IQD|3|Dinar iraquí
IRR|2|Rial iraní
ISK|0|Corona islandesa
JMD|2|Dólar Jamaiquino
JOD|3|Dinar jordano
JPY|0|Yen
KES|2|Chelín keniano
KGS|2|Som
KHR|2|Riel
KMF|0|Franco Comoro
KPW|2|Corea del Norte ganó
KRW|0|Won
KWD|3|Dinar kuwaití
KYD|2|Dólar de las Islas Caimán
KZT|2|Tenge
LAK|2|Kip
LBP|2|Libra libanesa
LKR|2|Rupia de Sri Lanka
LRD|2|Dólar liberiano
LSL|2|Loti
LYD|3|Dinar libio
MAD|2|Dirham marroquí
MDL|2|Leu moldavo
MGA|2|Ariary malgache
MKD|2|Denar
MMK|2|Kyat
MNT|2|Tugrik
MOP|2|Pataca
MRO|2|Ouguiya
MUR|2|Rupia de Mauricio
MVR|2|Rupia
MWK|2|Kwacha
MXN|2|Peso Mexicano
MXV|2|México Unidad de Inversión (UDI)
MYR|2|Ringgit malayo
MZN|2|Mozambique Metical
NAD|2|Dólar de Namibia
NGN|2|Naira
NIC|2|Córdoba (Nicaragua)
NIO|2|Córdoba Oro
NOK|2|Corona noruega
NPR|2|Rupia nepalí
NZD|2|Dólar de Nueva Zelanda
OMR|3|Rial omaní
PAB|2|Balboa
PEN|2|Nuevo Sol
PGK|2|Kina
PHP|2|Peso filipino
PKR|2|Rupia de Pakistán
PLN|2|Zloty
PYG|0|Guaraní
QAR|2|Qatar Rial
RON|2|Leu rumano
RSD|2|Dinar serbio
RUB|2|Rublo ruso
RWF|0|Franco ruandés
SAR|2|Riyal saudí
SBD|2|Dólar de las Islas Salomón
SCR|2|Rupia de Seychelles
SDG|2|Libra sudanesa
SEK|2|Corona sueca
SGD|2|Dólar De Singapur
SHP|2|Libra de Santa Helena
SLL|2|Leona
SOS|2|Chelín somalí
SRD|2|Dólar de Suriname
SSP|2|Libra sudanesa Sur
STD|2|Dobra
SVC|2|Colon El Salvador
SYP|2|Libra Siria
SZL|2|Lilangeni
THB|2|Baht
TJS|2|Somoni
TMT|2|Turkmenistán nuevo manat
TND|3|Dinar tunecino
TOP|2|Pa'anga
TRY|2|Lira turca
TTD|2|Dólar de Trinidad y Tobago
TWD|2|Nuevo dólar de Taiwán
TZS|2|Shilling tanzano
UAH|2|Hryvnia
UGX|0|Shilling de Uganda
USD|2|Dólar americano
USN|2|Dólar estadounidense (día siguiente)
UYI|0|Peso Uruguay en Unidades Indexadas (URUIURUI)
UYP|2|Uruguay (Peso)
UYU|2|Peso Uruguayo
UZS|2|Uzbekistán Sum
VEF|2|Bolívar
VES|2|Bolívar digital  (Venezuela)
VND|0|Dong
VUV|0|Vatu
WST|2|Tala
XAF|0|Franco CFA BEAC
XAG|0|Plata
XAU|0|Oro
XBA|0|Unidad de Mercados de Bonos Unidad Europea Composite (EURCO)
XBB|0|Unidad Monetaria de Bonos de Mercados Unidad Europea (UEM-6)
XBC|0|Mercados de Bonos Unidad Europea unidad de cuenta a 9 (UCE-9)
XBD|0|Mercados de Bonos Unidad Europea unidad de cuenta a 17 (UCE-17)
XCD|2|Dólar del Caribe Oriental
XDR|0|DEG (Derechos Especiales de Giro)
XOF|0|Franco CFA BCEAO
XPD|0|Paladio
XPF|0|Franco CFP
XPT|0|Platino
XSU|0|Sucre
XTS|0|Códigos reservados específicamente para propósitos de prueba
XUA|0|Unidad ADB de Cuenta
XXX|0|Los códigos asignados para las transacciones en que intervenga ninguna moneda
YER|2|Rial yemení
ZAR|2|Rand
ZMW|2|Kwacha zambiano
ZWL|2|Zimbabwe Dólar`
