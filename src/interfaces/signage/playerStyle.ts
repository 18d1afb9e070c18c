/** The style sheet of the player: content fills the screen on a black background. */
export const PLAYER_STYLE = `
#player { position: fixed; inset: 0; z-index: 1; overflow: hidden; background: #000; color: #f2f4f7; }
/* The player covers the footer and the links to other languages. */
main:has(#player) ~ * { display: none; }
#stage { position: absolute; inset: 0; }
#stage > .zone { position: absolute; overflow: hidden; }
.zone > img, .zone > video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.zone > .fade { animation: appear var(--taking) ease-in; }
.zone > .slide { animation: arrive var(--taking) ease-out; }
@keyframes appear { from { opacity: 0; } }
@keyframes arrive { from { transform: translateX(100%); } }
@media (prefers-reduced-motion: reduce) { .zone > .fade, .zone > .slide { animation: none; } }
#note { position: absolute; inset: 0; display: grid; align-content: center; justify-items: center; gap: 0.5rem; padding: 2rem; text-align: center; }
#note[hidden] { display: none; }
#note h1 { font-size: clamp(1.5rem, 5vw, 4rem); }
#note p { color: #c9d0d9; font-size: clamp(1rem, 2vw, 1.75rem); }
`
