/** The script of worker threads: the pool looks for this file name next to the bundle. */
import './heavy-worker.cjs'
