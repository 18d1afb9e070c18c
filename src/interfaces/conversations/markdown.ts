/**
 * Renders the Markdown of messages as markup, after Chatwoot: emphasis, code, links, lists, quotes and headings. HTML stays text,
 * and pictures become links, because they would report the visitor to another server. Takes linear time.
 */
import { html, type Content, type Markup } from '../../http/webPages/html.ts'

/** Returns the blocks of a text, each with the class `said`. Line breaks stay, so the style must keep them. */
export function renderMarkdown(text: string): Markup[] {
  const blocks: Markup[] = []
  let kind: Kind = BLANK
  let lines: string[] = []
  const end = (): void => {
    const [first = ''] = lines
    const texts = lines.map((line) => line.replace(kind.start, ''))
    if (lines.length > 0) blocks.push(kind.render(texts, first))
    lines = []
  }
  let fence: string[] | null = null
  for (const line of text.split(/\r?\n/)) {
    // With a backtick behind it, it is code within a line.
    const isFence = /^ {0,3}```[^`]*$/.test(line)
    if (fence) {
      if (isFence) {
        blocks.push(codeBlock(fence))
        fence = null
      } else fence.push(line)
      continue
    }
    const next = isFence ? BLANK : (KINDS.find(({ start }) => start.test(line)) ?? PARAGRAPH)
    if (next !== kind || kind.isOneLine) end()
    kind = next
    if (isFence) fence = []
    else if (next !== BLANK) lines.push(line)
  }
  end()
  // A fence that is never closed ends with the text.
  if (fence) blocks.push(codeBlock(fence))
  return blocks
}

interface Kind {
  /** Matches the mark at the start of a line, which is removed. */
  readonly start: RegExp
  readonly isOneLine?: boolean
  /** Gets the lines without their marks, and the first one with it. */
  readonly render: (lines: readonly string[], first: string) => Markup
}

const items = (lines: readonly string[]): Content => lines.map((line) => html`<li>${inline(line)}</li>`)

const codeBlock = (lines: readonly string[]): Markup =>
  html`<pre class="said"><code>${lines.join('\n')}</code></pre>`

const BLANK: Kind = { start: /^\s*$/, render: () => html`` }

const PARAGRAPH: Kind = {
  start: /^(?!)/,
  render: (lines) => html`<p class="said">${inline(lines.join('\n'))}</p>`,
}

const KINDS: readonly Kind[] = [
  BLANK,
  {
    start: /^ {0,3}#{1,6} +/,
    isOneLine: true,
    // No heading, because the page has its own.
    render: (lines) => html`<p class="said"><strong>${inline(lines.join('\n'))}</strong></p>`,
  },
  {
    start: /^ {0,3}> ?/,
    render: (lines) => html`<blockquote class="said">${inline(lines.join('\n'))}</blockquote>`,
  },
  {
    start: /^ {0,3}[-*+] +/,
    render: (lines) =>
      html`<ul class="said">
        ${items(lines)}
      </ul>`,
  },
  {
    start: /^ {0,3}\d{1,9}[.)] +/,
    render: (lines, first) =>
      html`<ol class="said" start="${parseInt(first.trim(), 10)}">
        ${items(lines)}
      </ol>`,
  },
]

/** The tags of the marks of emphasis. */
const TAGS: Readonly<Record<string, (content: Content) => Markup>> = {
  '***': (content) => html`<strong><em>${content}</em></strong>`,
  ___: (content) => html`<strong><em>${content}</em></strong>`,
  '**': (content) => html`<strong>${content}</strong>`,
  __: (content) => html`<strong>${content}</strong>`,
  '*': (content) => html`<em>${content}</em>`,
  _: (content) => html`<em>${content}</em>`,
  '~~': (content) => html`<del>${content}</del>`,
}

/**
 * An escaped character, code, a link with its label, a URL, or a mark of emphasis. Parts that can contain the start of another
 * are bounded, so that the time stays linear.
 */
const TOKEN =
  /\\([!-/:-@[-`{-~])|(`{1,3})(?!`)([^\n]{1,2000}?)(?<!`)\2(?!`)|!?\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?: "[^"\n]{0,500}")?\)|<((?:https?:\/\/|mailto:)[^\s<>"]{1,2000})>|((?:https?:\/\/|mailto:)[^\s<>"*]{1,2000})|(\*{1,3}|_{1,3}|~~)/g

/** Deeper emphasis stays text. */
const MAX_DEPTH = 10

interface Frame {
  readonly mark: string
  readonly content: Content[]
}

function inline(text: string, hasLinks = true): Content {
  const frames: Frame[] = [{ mark: '', content: [] }]
  const add = (content: Content): void => void frames.at(-1)?.content.push(content)
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, escaped, , code, label, labelled, bracketed, url, mark] = match
    add(text.slice(from, match.index))
    from = match.index + whole.length
    if (escaped !== undefined) add(escaped)
    else if (code !== undefined) add(html`<code>${code}</code>`)
    else if (label !== undefined && labelled !== undefined) {
      const content = label === '' ? labelled : inline(label, false)
      add(hasLinks && isSafe(labelled) ? anchor(labelled, content) : whole)
    } else if (bracketed !== undefined)
      add(hasLinks && isSafe(bracketed) ? anchor(bracketed, bracketed) : whole)
    else if (url !== undefined) {
      const end = endOfUrl(url)
      const target = url.slice(0, end)
      add(hasLinks && isSafe(target) ? [anchor(target, target), url.slice(end)] : url)
    } else if (mark !== undefined) emphasize(frames, mark, text, match.index)
  }
  add(text.slice(from))
  while (frames.length > 1) closeAsText(frames)
  return frames[0]?.content
}

/** Opens or closes emphasis, as the characters around the mark allow; otherwise the mark is text. */
function emphasize(frames: Frame[], mark: string, text: string, at: number): void {
  const before = text[at - 1] ?? ' '
  const after = text[at + mark.length] ?? ' '
  // In a word, an underscore is a part of it.
  const isInWord = mark.includes('_') && isWord(before) && isWord(after)
  const last = frames.at(-1)?.mark ?? ''
  const opener = frames.findLastIndex((frame) => frame.mark === mark)
  if (!isInWord && opener > 0 && !isBlank(before)) {
    while (frames.length > opener + 1) closeAsText(frames)
    const { content = [] } = frames.pop() ?? {}
    frames.at(-1)?.content.push(TAGS[mark]?.(content))
  } else if (mark.length === 3 && opener < 0 && last !== '' && mark.includes(last)) {
    // Closes two marks: "**a *b***".
    emphasize(frames, last, text, at)
    emphasize(frames, mark.slice(last.length), text, at + last.length)
  } else if (!isInWord && !isBlank(after) && frames.length <= MAX_DEPTH) frames.push({ mark, content: [] })
  else frames.at(-1)?.content.push(mark)
}

const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)
const isBlank = (character: string): boolean => /\s/.test(character)

/** Ends emphasis that is not closed: its mark is text. */
function closeAsText(frames: Frame[]): void {
  const { mark, content } = frames.pop() ?? { mark: '', content: [] }
  frames.at(-1)?.content.push(mark, content)
}

/** Returns where a URL in a text ends: without the punctuation of the sentence, but with the parenthesis that it opens. */
function endOfUrl(url: string): number {
  let end = url.length
  let open = url.split('(').length - url.split(')').length
  for (; end > 0 && '.,;:!?\'")]*_~'.includes(url[end - 1] ?? ''); end--) {
    if (url[end - 1] !== ')') continue
    if (open >= 0) break
    open++
  }
  return end
}

const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:']

/** Links to anything else, such as javascript:, stay text. */
const isSafe = (url: string): boolean => URL.canParse(url) && SAFE_PROTOCOLS.includes(new URL(url).protocol)

const anchor = (url: string, content: Content): Markup =>
  html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${content}</a>`
