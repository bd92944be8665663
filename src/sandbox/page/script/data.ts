import { byId, element, link } from './dom.ts';

/** What the server passes to the page. */
export interface PageData {
  /** URL of the docs, without a trailing slash, if it is known. */
  docs?: string;
  operations: string[];
  /** Properties of a fault, and what each means. */
  faultFields: Record<string, string>;
  /** Rules and choices with their texts, by id. */
  reasons: Record<string, string>;
}

export const data: PageData = JSON.parse(byId('data', HTMLScriptElement).text);

/** A rule or a choice with its text, linked to the reference if its address is known. */
export function reason(kind: string, id: string): HTMLElement {
  const name = data.docs === undefined ? element('code', '', id) : link(`${data.docs}/rules.html#${id}`, id);
  // The page may be in a frame, and what it shows should stay.
  if (name instanceof HTMLAnchorElement) name.target = '_blank';
  const text = Object.hasOwn(data.reasons, id) ? data.reasons[id] : undefined;
  return element('p', '', `${kind} `, name, text !== undefined && `: ${text}`);
}
