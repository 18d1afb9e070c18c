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
.talk .said { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.talk .said + .said { margin-top: 0.5rem; }
.talk ul.said, .talk ol.said { padding-left: 1.5rem; white-space: normal; }
.talk ul.said { list-style: disc; }
.talk blockquote.said { padding-left: 0.75rem; border-left: 3px solid var(--edge); }
.talk code { font-size: 0.9em; }
.talk pre.said { max-width: 100%; overflow-x: auto; white-space: pre; }
.talk img, .talk video { display: block; max-width: 100%; max-height: 20rem; margin-top: 0.5rem; border-radius: 0.5rem; }
.talk audio { display: block; max-width: 100%; margin-top: 0.5rem; }
.talk .options { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.75rem; }
.talk .options button {
  width: auto;
  min-height: 2.75rem;
  margin: 0;
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--accent);
  border-radius: 1.25rem;
  background: var(--paper);
  color: var(--accent);
}
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
