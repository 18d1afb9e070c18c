/** The code blocks of the guide's pages, and how the tests run them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn } from './packed.ts'
import { scratchFolder, type Ended } from './process.ts'
import { ROOT } from './root.ts'

export interface CodeBlock {
  /** The heading above it. */
  readonly heading: string
  /** The language of its fence, such as "js"; "" if it has none. */
  readonly language: string
  readonly text: string
}

/** Returns the text of a page in docs/. */
export const textOfPage = (page: string): string => readFileSync(join(ROOT, 'docs', page), 'utf8')

/** Returns the code blocks of a page in docs/, in order. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let heading = ''
  for (const [, title, language = '', code = ''] of textOfPage(page).matchAll(
    /^(?:#+ (.+)|```(\w*)\n([^]*?)^```)$/gm,
  )) {
    if (title === undefined) blocks.push({ heading, language, text: code })
    else heading = title
  }
  return blocks
}

/** Returns the block after another one. */
export const blockAfter = (blocks: readonly CodeBlock[], block: CodeBlock): CodeBlock | undefined =>
  blocks[blocks.indexOf(block) + 1]

/** Returns the text with the address of a running server instead of the documented one. */
export const withUrl = (text: string, url: string): string => text.replaceAll('http://127.0.0.1:4012', url)

/** Runs a block as a program of a new folder. */
export function runBlock(
  { text }: CodeBlock,
  {
    file,
    command,
    url,
  }: { readonly file: string; readonly command: readonly string[]; readonly url: string },
): Promise<Ended> {
  const folder = scratchFolder()
  writeFileSync(join(folder, file), withUrl(text, url))
  return runIn(folder, [...command, file], { TMPDIR: folder })
}

/** Runs a block of shell commands, and ends with the first that fails. */
export const runShell = (block: CodeBlock, url: string): Promise<Ended> =>
  runBlock(block, { file: 'commands.sh', command: ['bash', '-e'], url })
