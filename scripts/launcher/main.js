#!/usr/bin/env node
/** The binary: passes the command line to src/main.ts. */
import { load } from './load.js'

await load().exports.main(process.argv.slice(2))
