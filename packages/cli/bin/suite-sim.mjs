#!/usr/bin/env node
/** What `npx suite-sim` finds in a clone; npm links it into node_modules/.bin. An installed package has dist/main.js itself. */
import '../../../scripts/start.mjs'
