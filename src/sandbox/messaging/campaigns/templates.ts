import { messagingFacts } from '../../../../generated/messaging/reference.ts';
import type { CampaignsTables, Template } from './campaigns.ts';

const { maxVariableLength } = messagingFacts;

const placeholder = /\{\{[\p{L}\p{N}_]+\}\}/gu;

/** Returns the names of a template's variables. */
export function variablesOf({ text }: Template): string[] {
  return Array.from(text.matchAll(placeholder), ([marked]) => marked.slice(2, -2));
}

/** Returns whether text equals an approved template of the sender, either unchanged or with its variables filled in. */
export function matchesTemplate({ templates }: CampaignsTables, senderId: number, text: string): boolean {
  for (const template of templates.values()) {
    if (!template.approved || template.senderId !== senderId) continue;
    if (template.text === text || isFilledIn(template, text)) return true;
  }
  return false;
}

/**
 * Tries all ways to fill in the variables in parallel, so that no text takes long to check. Positions count characters.
 */
function isFilledIn(template: Template, text: string): boolean {
  const characters = [...text];
  const isAt = (part: string[], start: number): boolean =>
    part.every((character, place) => characters[start + place] === character);
  const [first = [], ...rest] = template.text.split(placeholder).map((part) => [...part]);
  let ends = new Set(isAt(first, 0) ? [first.length] : []);
  for (const part of rest) {
    const next = new Set<number>();
    for (const end of ends) {
      for (let start = end + 1; start <= Math.min(end + maxVariableLength, characters.length); start += 1)
        if (isAt(part, start)) next.add(start + part.length);
    }
    ends = next;
  }
  return ends.has(characters.length);
}

/** Returns whether a variable's value has more characters than permitted. */
export function isTooLong(value: string): boolean {
  return [...value].length > maxVariableLength;
}

/** Returns whether a variable's value contains a link: a scheme, `www.`, or a domain followed by a path. */
export function containsLink(value: string): boolean {
  return /\w:\/\/\S|\bwww\.\S|\.[a-z]{2,63}\/\S/i.test(value);
}
