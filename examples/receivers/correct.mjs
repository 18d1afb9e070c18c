/** A receiver without a fault: it passes the exam. */
import { correct, start } from './shared.mjs'

start(correct)
