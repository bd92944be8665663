import type { MessagingState, Template } from '../../state/messaging.ts';
import { longestVariable } from './facts.ts';

const placeholder = /\{\{(\w+)\}\}/g;

/** Names of the variables of a template. */
export function variablesOf({ text }: Template): string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []);
}

/** Whether a text is that of an approved template of the sender, as it stands or with its variables filled in. */
export function matchesTemplate({ templates }: MessagingState, senderId: number, text: string): boolean {
  for (const template of templates.values()) {
    if (!template.approved || template.senderId !== senderId) continue;
    if (template.text === text || isFilledIn(template, text)) return true;
  }
  return false;
}

/** Follows every way to fill in the variables at once, so that no text takes long. */
function isFilledIn(template: Template, text: string): boolean {
  const [first = '', ...rest] = template.text.split(/\{\{\w+\}\}/);
  let ends = new Set(text.startsWith(first) ? [first.length] : []);
  for (const part of rest) {
    const next = new Set<number>();
    for (const end of ends) {
      for (let start = end + 1; start <= Math.min(end + longestVariable, text.length); start += 1)
        if (text.startsWith(part, start)) next.add(start + part.length);
    }
    ends = next;
  }
  return ends.has(text.length);
}

/** Whether a variable's value contains a link: a scheme, `www.` or a domain before a path. */
export function containsLink(value: string): boolean {
  return /\w:\/\/\S|\bwww\.\S|\.[a-z]{2,63}\/\S/i.test(value);
}
