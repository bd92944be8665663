/** Styles of a runnable sample. They use Starlight's colours, which the inspector inherits. */
export const styles = `
:host {
  --sandbox-background: var(--sl-color-bg, Canvas);
  --sandbox-surface: var(--sl-color-bg-nav, light-dark(#f6f7f9, #202127));
  --sandbox-text: var(--sl-color-white, CanvasText);
  --sandbox-muted: var(--sl-color-gray-2, light-dark(#59616e, #a6adba));
  --sandbox-line: var(--sl-color-gray-5, light-dark(#e3e6ea, #33363f));
  --sandbox-accent: var(--sl-color-text-accent, light-dark(#8f4f06, #f0b35a));
  --sandbox-bad: light-dark(#a3283c, #f29aa8);
  --sandbox-mono: var(--__sl-font-mono, ui-monospace, monospace);
  display: block;
  margin-block: 1rem;
  color: var(--sandbox-text);
  font-size: 0.9375rem;
  line-height: 1.5;
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
p, pre {
  margin: 0;
}
:focus-visible {
  outline: 2px solid var(--sandbox-accent);
  outline-offset: 2px;
}
textarea {
  display: block;
  width: 100%;
  padding: 0.75rem 1rem;
  border: 1px solid var(--sandbox-accent);
  border-radius: 6px;
  background: var(--sandbox-background);
  color: inherit;
  font: 0.875rem / 1.6 var(--sandbox-mono);
  tab-size: 2;
  white-space: pre;
  overflow-x: auto;
  resize: vertical;
}
.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  margin-top: 0.6rem;
}
.status {
  flex: 1 1 14rem;
  color: var(--sandbox-muted);
  font-size: 0.875rem;
  overflow-wrap: anywhere;
}
.bad, .failure, pre.error {
  color: var(--sandbox-bad);
}
button {
  min-height: 2.375rem;
  padding: 0.3rem 0.9rem;
  border: 1px solid var(--sandbox-muted);
  border-radius: 6px;
  background: var(--sandbox-background);
  color: var(--sandbox-text);
  font: inherit;
  font-weight: 500;
  cursor: pointer;
}
button:hover:enabled {
  border-color: var(--sandbox-accent);
}
button:disabled {
  opacity: 0.5;
  cursor: default;
}
button.main {
  border-color: var(--sandbox-text);
  background: var(--sandbox-text);
  color: var(--sandbox-background);
}
.result {
  margin-top: 0.75rem;
  scroll-margin-top: 7.5rem;
}
.output {
  max-height: 24rem;
  padding: 0.75rem 1rem;
  border: 1px solid var(--sandbox-line);
  border-radius: 6px;
  background: var(--sandbox-surface);
  overflow: auto;
}
.failure pre {
  margin-top: 0.75rem;
  padding: 0.75rem 1rem;
  border-left: 3px solid;
  background: var(--sandbox-surface);
}
.output pre, .failure pre {
  font: 0.8125rem / 1.6 var(--sandbox-mono);
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}
.inside {
  margin-top: 0.75rem;
}
`;
