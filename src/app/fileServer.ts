/** Serves stored files at the links in responses. */
import type { InterfaceDefinition } from '../http/definition/definition.ts'
import { FILES_PATH } from '../http/server/parts.ts'
import { renderUnchanged } from '../state/workspace/events.ts'

export const fileServer: InterfaceDefinition = {
  name: 'files',
  title: 'Files',
  description: 'Stored files, by the links in responses of the interfaces.',
  basePath: FILES_PATH,
  machines: [],
  records: [],
  renderEvent: renderUnchanged,
  async load() {
    const [{ downloads }, { controlDialect }] = await Promise.all([
      import('../http/files/downloads.ts'),
      import('../control/shared/dialect.ts'),
    ])
    return { dialect: controlDialect, resources: [downloads] }
  },
}
