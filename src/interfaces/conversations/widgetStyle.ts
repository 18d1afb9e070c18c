/** The styles of the widget page, in addition to those of all pages. */
export const WIDGET_STYLE = `
.talk {
  display: flex;
  flex-direction: column;
  gap: 0.75rem;
  max-height: 60vh;
  margin: 0 0 1.25rem;
  overflow-y: auto;
}
.talk .saying { max-width: 85%; padding: 0.5rem 0.875rem; border-radius: 0.875rem; background: var(--soft); }
.talk .own { align-self: flex-end; background: var(--accent); color: var(--on-accent); }
.talk .who { margin: 0; font-size: 0.8125rem; color: var(--quiet); }
.talk .own .who { color: inherit; }
.talk .said { margin: 0; white-space: pre-wrap; }
.talk .own a { color: inherit; }
#connection { font-size: 0.875rem; color: var(--quiet); }
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
`
