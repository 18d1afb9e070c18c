/** The styles of form pages, in addition to those of all pages. */
export const FORM_STYLE = `
.question[hidden], [hidden] { display: none; }
.input textarea {
  flex: 1;
  min-width: 0;
  width: 100%;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--paper);
  color: var(--text);
  font: inherit;
  resize: vertical;
}
.input textarea[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.question legend { margin-bottom: 0.25rem; font-size: 1rem; font-weight: 550; }
.choice > input[type="checkbox"] { top: 0; height: 2.875rem; width: 1.25rem; font-size: 1rem; }
.points { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.25rem; }
.point { position: relative; }
.point > input { position: absolute; inset: 0; margin: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }
.point > label {
  display: flex;
  align-items: center;
  justify-content: center;
  width: 2.875rem;
  height: 2.875rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
}
.point > input:checked + label { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.point > input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.progress { margin-bottom: 1rem; }
progress { width: 100%; height: 0.5rem; accent-color: var(--accent); }
button.back { background: none; color: var(--accent); border: 1px solid var(--edge); }
button + button { margin-top: 0.75rem; }
`
