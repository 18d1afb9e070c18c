/** How pages for people look: one column that fits a phone, the reader's own colour scheme, the system's fonts. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: #1c2024;
  --quiet: #5a6169;
  --paper: #ffffff;
  --ground: #f3f4f6;
  --line: #c9ced6;
  --accent: #1f5fbf;
  --on-accent: #ffffff;
  --bad: #b3261e;
  --good: #1b7a3d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8eaed;
    --quiet: #a3abb5;
    --paper: #1c2024;
    --ground: #121417;
    --line: #454c55;
    --accent: #8ab4f8;
    --on-accent: #10233f;
    --bad: #f2b8b5;
    --good: #81c995;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 1rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  max-width: 30rem;
  margin: 1rem auto;
  padding: 1.5rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
footer { max-width: 30rem; margin: 0 auto; color: var(--quiet); font-size: 0.875rem; text-align: center; }
`
