/** Writes what new databases start with to dist/: the script of all tables, and the image of the demo. */
import { chmodSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load } from '../dist/load.js'

const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

const { exports } = load()
const { writeImage, writeSchema } = await exports.images()
writeSchema()
const unfinished = dist(`demo.sqlite.${process.pid}`)
await writeImage(unfinished)
// A database is for its owner alone, but the users of an installed program and of a container read this one.
chmodSync(unfinished, 0o644)
renameSync(unfinished, dist('demo.sqlite'))
