/** Emits events until it is killed, and prints the id of each committed one. Arguments: file, migrations, url. */
import { Database } from '../../src/state/storage/database/database.ts'
import { renderUnchanged } from '../../src/state/workspace/events.ts'
import { Registry } from '../../src/state/workspace/registry.ts'
import { Webhooks } from '../../src/webhooks/queue.ts'

const [file = '', migrations = '', url = ''] = process.argv.slice(2)
const database = new Database(file, migrations)
const workspaces = new Registry(database, { renderers: new Map([['pos', renderUnchanged]]) })
const webhooks = new Webhooks(workspaces, [])
workspaces.events.follow(webhooks.outbox)
const workspace =
  workspaces.byRowScope(1) ??
  workspaces.create({ name: 'Killed' }, (made) => {
    webhooks.subscriptions.create(made, { interface: 'pos', url, events: ['*'] })
    return made
  })
webhooks.start()

for (let count = 0; ; count++) {
  const event = workspace.write(() =>
    workspace.append({ interface: 'pos', name: 'sale.completed', data: { count }, record: null }),
  )
  await database.committed()
  process.stdout.write(`${event.id}\n`)
}
