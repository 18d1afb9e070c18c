/** What a thread of heavy work is started with: its pool looks for a file of this name beside the bundle. */
import './heavy-worker.cjs'
