/** The style of HTML pages: one column that fits a phone, the system's color scheme and fonts. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: #1a1d21;
  --quiet: #565d66;
  --paper: #ffffff;
  --ground: #eef1f5;
  --soft: #f6f8fa;
  --line: #d5dae1;
  --edge: #858d98;
  --accent: #1d5bbf;
  --accent-strong: #164a9e;
  --on-accent: #ffffff;
  --bad: #b3261e;
  --bad-soft: #fdf1f0;
  --good: #186b36;
  --good-soft: #edf7f0;
  --wait: #805600;
  --wait-soft: #fdf6e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e9ebee;
    --quiet: #a9b1bb;
    --paper: #1b1f24;
    --ground: #101317;
    --soft: #23282e;
    --line: #363d46;
    --edge: #7d8793;
    --accent: #8ab4f8;
    --accent-strong: #aecbfa;
    --on-accent: #0d1f38;
    --bad: #f5b8b3;
    --bad-soft: #3a1f1d;
    --good: #8fd6a5;
    --good-soft: #17301f;
    --wait: #f0cf80;
    --wait-soft: #332a12;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  padding: 1.5rem 1rem 2rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
main {
  max-width: 30rem;
  margin: 0 auto 1.25rem;
  padding: 1.75rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 1rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.05), 0 8px 24px rgb(0 0 0 / 0.06);
}
@media (max-width: 30rem) {
  body { padding: 0.75rem 0.5rem 1.5rem; }
  main { padding: 1.25rem 1rem; border-radius: 0.75rem; }
}
footer { max-width: 30rem; margin: 0 auto; color: var(--quiet); font-size: 0.875rem; text-align: center; }
nav { margin: 0.5rem 0; color: var(--quiet); font-size: 0.875rem; text-align: center; }
nav a, nav span { padding: 0.25rem; }
h1, h2, p, ul, dl, fieldset, table { margin: 0; padding: 0; }
h1 { font-size: 1.375rem; line-height: 1.3; }
h2 { font-size: 1.0625rem; line-height: 1.4; }
p + p { margin-top: 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.quiet, .hint { color: var(--quiet); }
.hint { font-size: 0.875rem; font-weight: 400; }

.summary { margin-bottom: 1.5rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
.summary h1 + p:not(.amount) { margin-top: 0.5rem; }
.summary .logo { display: block; max-width: 10rem; max-height: 3rem; margin-bottom: 0.75rem; }
.summary .quiet { font-size: 0.9375rem; }
.amount { margin-top: 0.25rem; font-size: 2.25rem; font-weight: 650; line-height: 1.2; letter-spacing: -0.02em; }
.facts { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 0.5rem 1.5rem; }
.summary .facts { margin-top: 1rem; gap: 0.125rem 1rem; font-size: 0.9375rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; text-align: right; }
.summary .facts dd { text-align: left; }

.banner {
  margin: -1.75rem -1.75rem 1.5rem;
  padding: 0.625rem 1.75rem;
  border-bottom: 1px solid var(--line);
  border-radius: 1rem 1rem 0 0;
  background: var(--wait-soft);
  color: var(--wait);
  font-size: 0.9375rem;
}
@media (max-width: 30rem) {
  .banner { margin: -1.25rem -1rem 1.25rem; padding: 0.625rem 1rem; border-radius: 0.75rem 0.75rem 0 0; }
}

.state { text-align: center; }
.state::before {
  content: "";
  display: block;
  width: 3.5rem;
  height: 3.5rem;
  margin: 0 auto 1rem;
  border-radius: 50%;
  background: var(--soft) var(--sign) center / 1.75rem no-repeat;
}
.state + * { margin-top: 1.5rem; }
.state p { margin-top: 0.375rem; }
.state .amount { margin-top: 0.5rem; }
.state.good::before { background-color: var(--good-soft); --sign: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%232e9c57' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='M5 12.5l4.5 4.5L19 7.5'/%3E%3C/svg%3E"); }
.state.bad::before { background-color: var(--bad-soft); --sign: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23d9544b' stroke-width='3' stroke-linecap='round'%3E%3Cpath d='M6.5 6.5l11 11M17.5 6.5l-11 11'/%3E%3C/svg%3E"); }
.state.wait::before { background-color: var(--wait-soft); --sign: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23b98309' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'%3E%3Ccircle cx='12' cy='12' r='9'/%3E%3Cpath d='M12 7v5l3.5 2'/%3E%3C/svg%3E"); }
.receipt { padding-top: 1.25rem; border-top: 1px solid var(--line); }

.prose { margin-bottom: 1.5rem; }
.prose > * + * { margin-top: 1rem; }
.prose ul { margin-top: 0.25rem; padding-left: 1.25rem; }
.written { white-space: pre-line; }
.onward { margin-top: 1.5rem; text-align: center; }

.alert {
  margin-bottom: 1.5rem;
  padding: 0.875rem 1rem;
  border: 1px solid var(--bad);
  border-left-width: 0.375rem;
  border-radius: 0.5rem;
  background: var(--bad-soft);
}
.alert:focus { outline: 0; }
.alert h2 { color: var(--bad); }
.alert ul { padding-left: 1.25rem; }
.alert a { color: var(--bad); }

fieldset { min-width: 0; border: 0; }
form > * + * { margin-top: 1.5rem; }
legend { margin-bottom: 0.75rem; padding: 0; font-size: 1.0625rem; font-weight: 600; }
.field + .field, .row { margin-top: 1rem; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; }
.row .field { display: flex; flex: 1 1 8rem; flex-direction: column; margin-top: 0; }
.field label { display: block; font-weight: 550; }
.field .input { display: flex; align-items: stretch; margin-top: 0.25rem; }
.row .field .input { margin-top: auto; padding-top: 0.25rem; }
.input input, .input select {
  flex: 1;
  min-width: 0;
  width: 100%;
  min-height: 2.875rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--paper);
  color: var(--text);
  font: inherit;
}
.input input:focus-visible, .input select:focus-visible { outline-offset: 0; border-color: var(--accent); }
.input input[aria-invalid], .input select[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.prefix {
  display: flex;
  align-items: center;
  padding: 0 0.75rem;
  border: 1px solid var(--edge);
  border-right: 0;
  border-radius: 0.5rem 0 0 0.5rem;
  background: var(--soft);
  color: var(--quiet);
}
.prefix + input { border-radius: 0 0.5rem 0.5rem 0; font-size: 1.25rem; }
p.problem { margin-top: 0.125rem; color: var(--bad); font-size: 0.9375rem; font-weight: 550; }

.choices > .problem { margin-bottom: 0.75rem; }
.choice { position: relative; border: 1px solid var(--edge); }
.choice + .choice { border-top-width: 0; }
.choice:first-of-type { border-radius: 0.5rem 0.5rem 0 0; }
.choice:last-of-type { border-radius: 0 0 0.5rem 0.5rem; }
.choice > input { position: absolute; top: 0.9375rem; left: 1rem; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.choice > label { display: block; padding: 0.6875rem 1rem 0.6875rem 3rem; font-weight: 550; cursor: pointer; }
.choice > label .hint { display: block; }
.choice:has(> input:checked) { background: var(--soft); }
.choice:has(> input:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; z-index: 1; }
.choice > input:focus-visible { outline: 0; }
.chosen { padding: 0.25rem 1rem 1.25rem; }
.choice:has(> input:not(:checked)) > .chosen { display: none; }

.button, button {
  display: block;
  width: 100%;
  min-height: 3rem;
  padding: 0.6875rem 1rem;
  border: 0;
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover, button:hover { background: var(--accent-strong); }
button + .quiet, .pay-button + .quiet { margin-top: 0.75rem; font-size: 0.875rem; text-align: center; }

.test-values {
  width: 100%;
  margin-top: 1.25rem;
  border-collapse: collapse;
  background: var(--soft);
  border: 1px dashed var(--edge);
  font-size: 0.875rem;
  overflow-wrap: normal;
}
.choice .test-values, fieldset > .test-values { background: var(--paper); }
.test-values caption { padding-bottom: 0.375rem; color: var(--quiet); text-align: left; }
.test-values caption strong { color: var(--text); }
.test-values th, .test-values td { padding: 0.3125rem 0.625rem; text-align: left; vertical-align: top; }
.test-values thead th { padding-top: 0.5rem; color: var(--quiet); font-weight: 550; }
.test-values tr:last-child td { padding-bottom: 0.5rem; }
.digits { margin-right: 0.5rem; font-variant-numeric: tabular-nums; white-space: nowrap; user-select: all; }
@media (max-width: 30rem) {
  .chosen { padding: 0.25rem 0.75rem 1rem; }
  .test-values { font-size: 0.8125rem; }
  .test-values th, .test-values td { padding-left: 0.5rem; padding-right: 0.5rem; }
}
@media (max-width: 22rem) { .digits { white-space: normal; } }
.verdict { font-weight: 550; }
.verdict.approved { color: var(--good); }
.verdict.pending, .verdict.authentication_required { color: var(--wait); }
.verdict.declined { color: var(--bad); }
.drawer { margin-top: 1.25rem; }
.drawer summary { padding: 0.5rem 0; color: var(--accent); font-weight: 550; cursor: pointer; }
.drawer .test-values { margin-top: 0.5rem; }
tr[data-fill]:has(button) { cursor: pointer; }
tr[data-fill]:has(button):hover { background: var(--ground); }
button.fill {
  display: inline;
  width: auto;
  min-height: 0;
  padding: 0.125rem 0.25rem;
  margin-left: -0.25rem;
  background: none;
  color: var(--accent);
  font-weight: 550;
  user-select: text;
}
button.fill:hover { background: none; text-decoration: underline; }
button.plain { background: var(--soft); color: var(--text); border: 1px solid var(--edge); }
button + button { margin-top: 0.75rem; }
button[aria-busy] { opacity: 0.7; cursor: progress; }
/* On a phone it stays in view, however long the form. */
@media (max-width: 30rem) {
  html { scroll-padding-bottom: 6rem; }
  .pay-button { position: sticky; bottom: 0; z-index: 2; margin: 1.5rem -1rem 0; padding: 0.75rem 1rem 1rem; background: var(--paper); border-top: 1px solid var(--line); }
  /* At the end of the page it covers the padding below it, and otherwise no text that follows. */
  .pay-button:last-child { margin-bottom: -1.25rem; }
  .pay-button + .quiet { margin-top: 0; }
}
`
