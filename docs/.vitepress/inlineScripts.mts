/** Moves the inline scripts of a built page to files, so that the Content-Security-Policy can refuse inline scripts. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TransformContext } from 'vitepress'

export function moveInlineScripts(html: string, _file: string, { siteConfig }: TransformContext): string {
  return html.replace(/<script(?: id="[\w-]+")?>([^]*?)<\/script>/g, (_script, text: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const name = `${siteConfig.assetsDir}/inline.${hash}.js`
    mkdirSync(join(siteConfig.outDir, siteConfig.assetsDir), { recursive: true })
    writeFileSync(join(siteConfig.outDir, name), text)
    return `<script src="${siteConfig.site.base}${name}"></script>`
  })
}
