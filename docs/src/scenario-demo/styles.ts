/** Styles of the demo, in Starlight's colours. */
export const styles = `
:host {
  --background: var(--sl-color-bg, Canvas);
  --surface: var(--sl-color-bg-nav, light-dark(#f6f7f9, #202127));
  --text: var(--sl-color-white, CanvasText);
  --muted: var(--sl-color-gray-2, light-dark(#59616e, #a6adba));
  --line: var(--sl-color-gray-5, light-dark(#e3e6ea, #33363f));
  --accent: var(--sl-color-text-accent, light-dark(#8f4f06, #f0b35a));
  --bad: light-dark(#a3283c, #f29aa8);
  display: block;
  margin-block: 1rem;
  color: var(--text);
  font-size: 0.9375rem;
  line-height: 1.5;
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
p, h3, ul {
  margin: 0;
  padding: 0;
}
ul {
  list-style: none;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.picker {
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem;
}
button {
  min-height: 2.375rem;
  padding: 0.3rem 0.9rem;
  border: 1px solid var(--muted);
  border-radius: 6px;
  background: var(--background);
  color: var(--text);
  font: inherit;
  font-weight: 500;
  cursor: pointer;
}
button:hover:enabled {
  border-color: var(--accent);
}
button:disabled {
  opacity: 0.5;
  cursor: default;
}
button[aria-pressed='true'] {
  border-color: var(--text);
  background: var(--text);
  color: var(--background);
}
.about {
  margin-top: 0.6rem;
  color: var(--muted);
}
.stage {
  margin-top: 0.75rem;
}
.app {
  border: 1px solid var(--line);
  border-radius: 8px;
  overflow: hidden;
}
.app h3 {
  padding: 0.6rem 1rem;
  border-bottom: 1px solid var(--line);
  background: var(--surface);
  font-size: 1rem;
  font-weight: 600;
}
.contacts {
  max-height: 22rem;
  overflow-y: auto;
}
.contacts li {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.4rem 0.75rem;
  padding: 0.6rem 1rem;
  border-bottom: 1px solid var(--line);
}
.who {
  flex: 1 1 12rem;
  min-width: 0;
  overflow-wrap: anywhere;
}
.who small {
  display: block;
  color: var(--muted);
}
.tag {
  display: inline-block;
  margin-left: 0.4rem;
  padding: 0 0.5rem;
  border: 1px solid currentColor;
  border-radius: 99px;
  color: var(--muted);
  font-size: 0.8125rem;
}
.outcome {
  flex: 1 0 100%;
  font-size: 0.875rem;
}
.message {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 0.75rem;
  min-height: 3.4rem;
  padding: 0.5rem 1rem;
  color: var(--muted);
}
.message.empty, .message.loading {
  justify-content: center;
  min-height: 7rem;
  text-align: center;
}
.bad {
  color: var(--bad);
}
@media (prefers-reduced-motion: no-preference) {
  .message.loading p {
    animation: wait 1.2s ease-in-out infinite alternate;
  }
}
@keyframes wait {
  to {
    opacity: 0.4;
  }
}
`;
