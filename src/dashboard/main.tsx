import '@picocss/pico/css/pico.min.css'
import './style.css'
import { render } from 'preact'
import { App } from './app.tsx'

const container = document.getElementById('app')
if (container) render(<App />, container)
