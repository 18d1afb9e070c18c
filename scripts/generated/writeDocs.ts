/** Writes the generated documentation. */
import { ROOT } from '../../test/support/root.ts'
import { generatedDocs } from './docs.ts'
import { write } from './write.ts'

write(ROOT, await generatedDocs())
