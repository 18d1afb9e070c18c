import '@picocss/pico/css/pico.min.css'
import './tokens.css'
import './style.css'
import './rows.css'
import './shell.css'
import './messages.css'
import './recordings.css'
import { render } from 'preact'
import { App } from './app.tsx'

const container = document.getElementById('app')
container?.replaceChildren()
if (container) render(<App />, container)
