/** The commands that show what a workspace holds, has met and has sent, and those that have it go wrong. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { group, whole, within } from './building.ts'
import { addFault, clearFaults, deleteFault, listFaults } from './faults.ts'
import { text } from './flags.ts'
import {
  clearRequests,
  listDeliveries,
  listEmails,
  listRecords,
  listRequests,
  redeliver,
  saveAttachment,
  showEmail,
  showRecord,
  showRequest,
} from './observing.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

export const observingCommands = (): Command[] => [
  group('requests', 'show the calls of the interfaces', [
    listing(within('list', 'list calls, the newest first'))
      .addOption(ofInterface())
      .addOption(new Option('--method <method>', 'such as POST').choices(METHODS))
      .addOption(new Option('--path <path>', 'such as /products/*; * stands for any segment').argParser(text))
      .addOption(new Option('--status <status>', 'such as 422 or 4xx').argParser(text))
      .addOption(new Option('--unmatched', 'those that belong to no workspace: a wrong key, an unknown path'))
      .action(listRequests),
    within('show', 'show one with its hints and what followed from it')
      .argument('<id>', 'its id')
      .addOption(new Option('--as <format>', 'curl, har').choices(['curl', 'har']))
      .action(showRequest),
    within('clear', 'empty the journal').action(clearRequests),
  ]),
  group('emails', 'show the messages that the suite would have sent', [
    listing(within('list', 'list messages, the newest first'))
      .addOption(new Option('--to <address>', 'only those to this address').argParser(text))
      .action(listEmails),
    within('show', 'show one')
      .argument('<id>', 'its id')
      .addOption(new Option('--eml', 'as mail programs read it'))
      .action(showEmail),
    within('attachment', 'save a file of one')
      .argument('<id>', 'the id of the message')
      .argument('<index>', 'which file, counted from 0', whole)
      .addOption(new Option('--out <file>', 'writes it to a file; else to standard output').argParser(text))
      .action(saveAttachment),
  ]),
  group('records', 'show the records of every interface', [
    within('list', 'list the sections, or the records of one')
      .argument('[section]', 'such as payments.links')
      .addOption(new Option('--limit <number>', 'how many at most').argParser(whole))
      .addOption(new Option('--cursor <cursor>', 'nextCursor of the page before').argParser(text))
      .action(listRecords),
    within('show', 'show one with its state and its next moves')
      .argument('<section>', 'such as payments.links')
      .argument('<id>', 'its id')
      .addOption(
        new Option('--until <field:value>', 'waits until it is so, such as status:paid').argParser(text),
      )
      .addOption(waiting())
      .action(showRecord),
  ]),
  group('faults', 'have calls and deliveries go wrong', [
    within('list', 'list the faults').action(listFaults),
    within('add', 'add one: flags, or one JSON object')
      .argument('[json]', 'such as {"interface":"catalog","status":503,"times":2}')
      .addOption(new Option('--preset <name>', 'outage, flaky or slow').argParser(text))
      .addOption(ofInterface())
      .addOption(new Option('--method <method>', 'such as POST').argParser(text))
      .addOption(new Option('--path <path>', 'such as /products/*; * stands for any segment').argParser(text))
      .addOption(new Option('--status <status>', 'what is answered, such as 503').argParser(whole))
      .addOption(new Option('--body <body>', 'what is answered: JSON, or a text'))
      .addOption(new Option('--header <lines...>', 'headers of the answer, such as "retry-after: 2"'))
      .addOption(new Option('--delay-ms <ms>', 'how long the answer takes').argParser(whole))
      .addOption(new Option('--reset', 'cuts the connection'))
      .addOption(new Option('--times <number>', 'how often; without end else').argParser(whole))
      .addOption(new Option('--probability <number>', 'from 0 to 1').argParser(fraction))
      .addOption(
        new Option('--delivery <fault>', 'of deliveries instead of calls, such as drop').argParser(text),
      )
      .addOption(new Option('--event <name>', 'of which deliveries').argParser(text))
      .action(addFault),
    within('delete', 'take one away').argument('<id>', 'its id').action(deleteFault),
    within('clear', 'take all away').action(clearFaults),
  ]),
  group('deliveries', 'show the webhooks that were sent or are pending, and send them again', [
    listing(within('list', 'list deliveries, the newest first'))
      .addOption(ofInterface())
      .addOption(new Option('--event <name>', 'such as sale.completed').argParser(text))
      .addOption(
        new Option('--status <status>', 'pending, delivered or dead').choices([
          'pending',
          'delivered',
          'dead',
        ]),
      )
      .action(listDeliveries),
    within('redeliver', 'send deliveries again, each on a fresh schedule')
      .argument('<ids...>', 'their ids')
      .action(redeliver),
  ]),
]

const ofInterface = (): Option => new Option('--interface <name>', 'only of this interface').argParser(text)

const waiting = (): Option => new Option('--wait <seconds>', 'how long it is waited for').argParser(whole)

const listing = (command: Command): Command =>
  command
    .addOption(new Option('--limit <number>', 'how many at most; 25 else').argParser(whole))
    .addOption(waiting())
    .addOption(new Option('--count <number>', 'how many are waited for; 1 else').argParser(whole))

function fraction(value: string): number {
  const number = Number(value)
  if (!/^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(value) || number > 1) {
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  }
  return number
}
