/**
 * Generates the Java classes of the control plane from its OpenAPI document: a record for each answer, a class with
 * setters for each request body and filter, the operations, and the interfaces.
 */
import { bodyClass, filterClass } from './javaBodies.mjs'
import { recordClass } from './javaRecords.mjs'
import { className, constantName, document, quoted } from './javaText.mjs'

export const FOLDER = 'clients/java/junit5/src/main/java/dev/suitesimulator/generated'

/** The filters of lists, by the operation whose query they are. */
const FILTERS = {
  listDeliveries: 'DeliveryFilter',
  listEmails: 'EmailFilter',
  listRequests: 'RequestFilter',
  getTimeline: 'TimelineFilter',
}

/** Returns the text of each generated file by its path; the documents come from `clientDocuments`. */
export function javaFiles({ document: control, interfaces }) {
  const { schemas } = control.components
  const operations = operationsOf(control)
  const bodies = new Set(operations.flatMap(({ requestBody }) => bodyName(requestBody) ?? []))
  const classes = Object.entries(schemas)
    .filter(([, { properties }]) => properties !== undefined)
    .map(([name, schema]) => [
      className(name),
      bodies.has(name) ? bodyClass(name, schema) : recordClass(name, schema),
    ])
  const filters = Object.entries(FILTERS).map(([id, name]) => {
    const { parameters } = operations.find(({ operationId }) => operationId === id)
    return [name, filterClass(name, id, parameters)]
  })
  const files = [
    ...classes,
    ...filters,
    ['Operation', operationEnum(operations)],
    ['InterfaceAccess', interfaceEnum(interfaces)],
  ]
  return new Map(files.map(([name, text]) => [`${FOLDER}/${name}.java`, document(text)]))
}

const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )

/** Returns the name of the schema of a request body; undefined without one. */
const bodyName = (requestBody) =>
  requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1) ?? undefined

function operationEnum(operations) {
  const values = operations.flatMap(({ operationId, method, path, summary }) => [
    `  /** ${summary.replace(/\.$/, '')}. */`,
    `  ${constantName(operationId)}(${[operationId, method, path].map(quoted).join(', ')}),`,
  ])
  return `/** The operations of the control plane. */
public enum Operation {
${values.join('\n').replace(/,$/, ';')}

  private final String id;
  private final String method;
  private final String path;

  Operation(String id, String method, String path) {
    this.id = id;
    this.method = method;
    this.path = path;
  }

  /** Returns the operation id: "getClock". */
  public String id() {
    return id;
  }

  /** Returns the HTTP method: "GET". */
  public String method() {
    return method;
  }

  /** Returns the path below "/_sim", with its parameters: "/workspaces/{id}/clock". */
  public String path() {
    return path;
  }
}
`
}

function interfaceEnum(interfaces) {
  const values = Object.entries(interfaces).flatMap(([name, { basePath, header }]) => [
    `  /** The interface "${name}". */`,
    `  ${constantName(name)}(${[name, basePath].map(quoted).join(', ')}, ${header ? quoted(header) : 'null'}),`,
  ])
  return `/** Where each interface is mounted, and which header has its key. */
public enum InterfaceAccess {
${values.join('\n').replace(/,$/, ';')}

  private final String title;
  private final String basePath;
  private final String header;

  InterfaceAccess(String title, String basePath, String header) {
    this.title = title;
    this.basePath = basePath;
    this.header = header;
  }

  /** Returns the name: "payments". */
  public String title() {
    return title;
  }

  /** Returns the base path: "/pay/v1". */
  public String basePath() {
    return basePath;
  }

  /** Returns the header of the key; null if the key is a bearer token. */
  public String header() {
    return header;
  }
}
`
}
