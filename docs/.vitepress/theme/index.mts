/** The default theme with the fonts of the system, so that the guide loads no fonts. */
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
