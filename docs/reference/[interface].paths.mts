/** One page for each interface, generated from its OpenAPI document. */
import { referencePages } from '../.vitepress/reference.mts'

export default {
  paths: () => referencePages().map(({ name, text }) => ({ params: { interface: name }, content: text })),
}
