/** Styles of the element. Colours come from the page, with defaults for light and dark. */
export const styles = `
:host {
  --background: var(--sandbox-background, light-dark(#ffffff, #17181c));
  --surface: var(--sandbox-surface, light-dark(#f6f7f9, #202127));
  --text: var(--sandbox-text, light-dark(#1f2328, #eceef2));
  --muted: var(--sandbox-muted, light-dark(#59616e, #a6adba));
  --line: var(--sandbox-line, light-dark(#e3e6ea, #33363f));
  --border: var(--sandbox-border, light-dark(#868e9a, #767d8a));
  --accent: var(--sandbox-accent, light-dark(#8f4f06, #f0b35a));
  --good: var(--sandbox-good, light-dark(#1d6b2d, #8fd19e));
  --bad: var(--sandbox-bad, light-dark(#a3283c, #f29aa8));
  --mono: var(--sandbox-mono, ui-monospace, 'SF Mono', Menlo, Consolas, monospace);
  display: block;
  container-type: inline-size;
  background: var(--background);
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
p, h2, h3, ol, ul, dl, dd, pre {
  margin: 0;
  padding: 0;
}
ol, ul {
  list-style: none;
}
h3 {
  font-size: 0.9375rem;
  font-weight: 600;
}
a {
  color: var(--accent);
  overflow-wrap: anywhere;
}
small {
  display: block;
  font-size: 0.8125rem;
}
.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  clip-path: inset(50%);
  overflow: hidden;
}
.muted {
  color: var(--muted);
}
.good {
  color: var(--good);
}
.bad {
  color: var(--bad);
}
.grow {
  flex: 1 1 12rem;
  min-width: 0;
  overflow-wrap: anywhere;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

/* Tabs and status */
.head {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  margin-bottom: 0.25rem;
}
.tabs, .tools {
  display: flex;
  border-bottom: 1px solid var(--line);
}
.tabs {
  gap: 0.25rem;
  overflow-x: auto;
}
.tools {
  align-items: center;
  gap: 0.25rem 0.75rem;
}
.tools button, .tools select {
  min-height: 2.1rem;
  padding-block: 0.15rem;
}
.world {
  grid-auto-flow: column;
  align-items: center;
}
.tab {
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 0;
  border-bottom: 3px solid transparent;
  border-radius: 0;
  background: none;
  color: var(--muted);
  font-weight: 500;
  white-space: nowrap;
}
.tab:focus-visible {
  outline-offset: -2px;
}
.tab[aria-selected='true'] {
  border-bottom-color: var(--accent);
  color: var(--text);
}
.count {
  padding: 0 0.4rem;
  border-radius: 99px;
  background: var(--surface);
  color: var(--text);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
}
.status {
  grid-column: 1 / -1;
  min-height: 1.5em;
  margin-top: 0.5rem;
  overflow-wrap: anywhere;
}

/* Fields and buttons */
.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.5rem;
  margin: 0.25rem 0 0.75rem;
}
label {
  display: grid;
  align-content: start;
  gap: 0.2rem;
  min-width: 0;
}
label > span {
  color: var(--muted);
  font-size: 0.8125rem;
}
button, input, select, textarea {
  min-height: 2.375rem;
  max-width: 100%;
  padding: 0.35rem 0.7rem;
  border: 1px solid var(--border);
  border-radius: 6px;
  background: var(--background);
  color: var(--text);
  font: inherit;
}
label > :is(input, select, textarea) {
  width: 100%;
  min-width: 0;
}
textarea {
  resize: vertical;
  font-family: var(--mono);
  font-size: 0.8125rem;
}
::placeholder {
  color: var(--muted);
  opacity: 1;
}
button {
  font-weight: 500;
  cursor: pointer;
}
button:not(.tab):hover {
  border-color: var(--accent);
  background: var(--surface);
}
button[aria-pressed='true'], button.main {
  border-color: var(--text);
  background: var(--text);
  color: var(--background);
}
button.main:hover {
  background: var(--muted);
}
summary {
  cursor: pointer;
}
pre {
  max-height: 26rem;
  padding: 0.7rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--surface);
  overflow: auto;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}
code, pre, .path, .method {
  font-family: var(--mono);
  font-size: 0.8125rem;
}
.tag {
  display: inline-block;
  padding: 0 0.5rem;
  border: 1px solid var(--border);
  border-radius: 99px;
  font-size: 0.8125rem;
}

/* Requests */
.requests {
  border: 1px solid var(--line);
  border-radius: 8px;
}
.requests:empty {
  display: none;
}
.requests > li + li {
  border-top: 1px solid var(--line);
}
.requests > li > details > summary {
  display: grid;
  grid-template-columns: 3.75rem minmax(0, 1fr) auto 4.5rem;
  align-items: baseline;
  gap: 0 0.75rem;
  padding: 0.55rem 0.8rem;
  list-style: none;
}
.requests > li > details > summary::-webkit-details-marker {
  display: none;
}
.requests > li > details > summary:hover, details[open] > summary:has(.path) {
  background: var(--surface);
}
.method {
  font-weight: 600;
}
.path {
  overflow-wrap: anywhere;
}
summary strong {
  text-align: right;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
}
summary .ms {
  color: var(--muted);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}
summary .why {
  grid-column: 2 / -1;
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
}
.detail {
  display: grid;
  gap: 0.75rem;
  padding: 0.8rem;
  border-top: 1px solid var(--line);
}
.reason {
  display: block;
  padding: 0.6rem 0.8rem;
  border-left: 3px solid var(--accent);
  background: var(--surface);
}
.reason .text {
  display: block;
  margin: 0.25rem 0;
}
.sides {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem 1rem;
}
.sides section {
  display: grid;
  align-content: start;
  gap: 0.4rem;
}
.more > summary {
  width: fit-content;
  color: var(--muted);
  font-size: 0.8125rem;
}
.more > pre {
  margin-top: 0.4rem;
}

/* Records */
.records {
  display: grid;
  gap: 0.5rem;
}
article {
  display: grid;
  gap: 0.2rem;
  padding: 0.6rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 8px;
}
article h3 {
  overflow-wrap: anywhere;
}

/* Clock, faults and snapshots */
.time time {
  font-size: 1.5rem;
  font-variant-numeric: tabular-nums;
}
.lines {
  margin-bottom: 1rem;
}
.lines li {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  padding: 0.5rem 0;
  border-bottom: 1px solid var(--line);
}
.panel h3 {
  margin: 0.5rem 0 0.25rem;
}
.chips {
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem;
  margin: 0.4rem 0 0.9rem;
}
.chips button {
  min-height: 2rem;
  padding: 0.15rem 0.75rem;
  border-radius: 99px;
  font-size: 0.875rem;
}
.fields {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr));
  align-items: start;
  gap: 0.6rem 0.75rem;
}
.part {
  margin: 0.75rem 0;
}
.part > summary {
  width: fit-content;
  color: var(--muted);
}
.part > dl {
  margin-top: 0.5rem;
}
dt {
  margin-top: 0.5rem;
}
dd {
  color: var(--muted);
  font-size: 0.875rem;
}
@container (width < 40rem) {
  .tabs {
    flex-wrap: wrap;
    gap: 0;
    grid-column: 1 / -1;
  }
  .tools {
    grid-area: 2 / 2;
    margin-top: 0.5rem;
    border: 0;
  }
  .status {
    grid-column: 1;
  }
  .tab {
    flex: 1 1 auto;
    padding-inline: 0.3rem;
    font-size: 0.8125rem;
  }
}
@container (width < 30rem) {
  .requests > li > details > summary {
    grid-template-columns: 3.75rem minmax(0, 1fr) auto;
  }
  summary .ms {
    display: none;
  }
}
@container (width >= 56rem) {
  .sides {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  }
  .records {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    align-items: start;
  }
}
`;
