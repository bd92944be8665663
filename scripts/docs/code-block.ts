import highlighter from 'highlight.js/lib/common';
import { Html, html } from './html.ts';

/** Label above a code block, by its language. */
const labels: Record<string, string> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  sh: 'Shell',
  json: 'JSON',
  csv: 'CSV',
  html: 'HTML',
  diff: 'Changes',
};

/**
 * A block of code, highlighted. Program output has no copy button. The button is visible only if scripts run. The style
 * sheet is `code.css`.
 *
 * @param info - language and mark, as after the backticks of a block in Markdown: `ts import.ts`, `text output`
 */
export function codeBlock(text: string, info: string): Html {
  const [language = '', mark] = info.split(' ');
  const known = highlighter.getLanguage(language) !== undefined;
  const code = known ? new Html(highlighter.highlight(text, { language }).value) : html`${text}`;
  const isOutput = mark === 'output' || language === 'text';
  // A block that is a file shows its name.
  const label = mark?.includes('.') ? mark : labels[language];
  const button = !isOutput && html`<button type="button" class="copy" aria-live="polite" hidden>Copy</button>`;
  return html`<div class="code"><p class="code-bar"><span>${isOutput ? 'Output' : label}</span>${button}</p><pre tabindex="0"><code>${code}</code></pre></div>`;
}
