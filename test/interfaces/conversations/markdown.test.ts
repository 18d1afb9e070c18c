/** The Markdown of messages on the page of the widget (assumed). */
import { describe, expect, test } from 'vitest'
import { html } from '../../../src/http/webPages/html.ts'
import { renderMarkdown } from '../../../src/interfaces/conversations/markdown.ts'

/** The markup without the class of the blocks and the attributes of links. */
const rendered = (text: string): string =>
  html`${renderMarkdown(text)}`
    .render('en', false)
    .replaceAll(' class="said"', '')
    .replaceAll(' target="_blank" rel="noopener noreferrer nofollow"', '')
    .replaceAll(/>\s+</g, '><')

describe('shows', () => {
  test.each([
    ['**bold** and __bold__', '<strong>bold</strong> and <strong>bold</strong>'],
    ['*it* and _it_', '<em>it</em> and <em>it</em>'],
    ['~~gone~~', '<del>gone</del>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['***a***', '<strong><em>a</em></strong>'],
    ['**a *b***', '<strong>a <em>b</em></strong>'],
    ['*a **b***', '<em>a <strong>b</strong></em>'],
    ['***a', '***a'],
    ['a **** b', 'a **** b'],
    ['`a **b** <i>`', '<code>a **b** &lt;i&gt;</code>'],
    ['```npm `i` x```', '<code>npm `i` x</code>'],
    ['``a`b`` and `c`', '<code>a`b</code> and <code>c</code>'],
    ['\\*a\\*', '*a*'],
    ['# Title', '<strong>Title</strong>'],
    ['a\nb', 'a\nb'],
    [
      '[the *shop*](https://shop.example/a?b=1&c)',
      '<a href="https://shop.example/a?b=1&amp;c">the <em>shop</em></a>',
    ],
    ['[](https://shop.example)', '<a href="https://shop.example">https://shop.example</a>'],
    ['[write](mailto:a@example.com)', '<a href="mailto:a@example.com">write</a>'],
    ['![a picture](http://shop.example/a.png)', '<a href="http://shop.example/a.png">a picture</a>'],
    [
      'See https://shop.example/a_b_c.',
      'See <a href="https://shop.example/a_b_c">https://shop.example/a_b_c</a>.',
    ],
    [
      '**https://shop.example/a_b**',
      '<strong><a href="https://shop.example/a_b">https://shop.example/a_b</a></strong>',
    ],
    [
      '(see https://shop.example/a_(b)).',
      '(see <a href="https://shop.example/a_(b)">https://shop.example/a_(b)</a>).',
    ],
    ['[a](https://shop.example/a_(b)c)', '<a href="https://shop.example/a_(b)c">a</a>'],
    ['[a](https://shop.example "The shop")', '<a href="https://shop.example">a</a>'],
    ['<https://shop.example>', '<a href="https://shop.example">https://shop.example</a>'],
  ])('%j in a paragraph', (text, expected) => {
    expect(rendered(text)).toBe(`<p>${expected}</p>`)
  })

  test.each([
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['Choose:\n- a\n- **b**\nnow', '<p>Choose:</p><ul><li>a</li><li><strong>b</strong></li></ul><p>now</p>'],
    ['3. c\n4) d', '<ol start="3"><li>c</li><li>d</li></ol>'],
    ['> a\n> b\nc', '<blockquote>a\nb</blockquote><p>c</p>'],
    ['```js\n<b> **a**\n\n- b\n```\nc', '<pre><code>&lt;b&gt; **a**\n\n- b</code></pre><p>c</p>'],
    ['```a```\nb **c**', '<p><code>a</code>\nb <strong>c</strong></p>'],
    ['```\na', '<pre><code>a</code></pre>'],
    ['# A\n## B', '<p><strong>A</strong></p><p><strong>B</strong></p>'],
    ['', ''],
    [' \n', ''],
  ])('%j as blocks', (text, expected) => {
    expect(rendered(text)).toBe(expected)
  })
})

describe('leaves as text', () => {
  test.each([
    '<b>bold</b>',
    '<img src=x onerror="alert(1)">',
    '<script>alert(1)</script>',
    '[a](javascript:alert(1))',
    '[a](JAVASCRIPT:alert%281%29)',
    '[a](data:text/html,b)',
    '[a](vbscript:b)',
    '[a](/relative)',
    '[a](//other.example)',
    '[a]("onmouseover="b)',
    '[a](https://)',
    'javascript:alert(1)',
    '2 * 3 * 4',
    '**open',
    '** a **',
    'snake_case_name and __init__s',
    '#hashtag',
    '+507 6000-1234',
    '-5 °C',
    '~about~',
    'a ` b',
    '[a] (b)',
  ])('%j', (text) => {
    expect(rendered(text)).toBe(`<p>${html`${text}`.render('en', false)}</p>`)
  })

  test('a quote in a URL, so that it adds no attribute', () => {
    expect(rendered('https://a.example/"onmouseover="b')).not.toContain('"onmouseover')
    expect(rendered('[a](https://a.example/"onmouseover="b)')).toContain(
      'href="https://a.example/&quot;onmouseover=&quot;b"',
    )
  })
})

test.each([
  '*',
  '_',
  '**a',
  '*a ',
  '*a_ ',
  '[',
  '![a](',
  '[a](https://a.(b',
  '[a](b "',
  '`',
  '`a``b```c',
  '<https://',
  'https://a.',
  'https://a.((',
  'https://a.)',
  '~~a',
  '- ',
  '> ',
  '\\',
  '(',
  '```\n',
])('takes linear time for many %j', (part) => {
  const text = `**b*${part.repeat(Math.floor(150_000 / part.length))}`
  // In quadratic time, the test would not end before its timeout.
  expect(rendered(text).length).toBeGreaterThan(9)
})
