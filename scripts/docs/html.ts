/** Text that is HTML already, as opposed to a string, which is not. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

type Value = string | number | Html | Value[] | false | undefined;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template whose values are escaped; `Html` does not change, a list is joined, `false` leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

function render(value: Value): string {
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.source;
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Code between backticks becomes `<code>`; everything else is plain text. */
export function inlineCode(text: string): Html {
  const pieces = text.split(/`([^`]+)`/);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
