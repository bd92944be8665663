import { messagingFacts } from '../../../../generated/messaging/reference.ts';
import type { CampaignsTables, Template } from './campaigns.ts';

const { maxVariableLength } = messagingFacts;

const placeholder = /\{\{[\p{L}\p{N}_]+\}\}/gu;

/** Returns the names of a template's variables. */
export function variablesOf({ text }: Template): string[] {
  return Array.from(text.matchAll(placeholder), ([marked]) => marked.slice(2, -2));
}

/** Returns whether a text is an approved template of the sender, either unchanged or with its variables filled in. */
export function matchesTemplate({ templates }: CampaignsTables, senderId: number, text: string): boolean {
  for (const template of templates.values()) {
    if (!template.approved || template.senderId !== senderId) continue;
    if (template.text === text || isFilledIn(template, text)) return true;
  }
  return false;
}

function isFilledIn(template: Template, text: string): boolean {
  const parts = template.text.split(placeholder).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join(`.{1,${maxVariableLength}}`)}$`, 'su').test(text);
}

/** Returns whether a variable's value has more characters than permitted. */
export function isTooLong(value: string): boolean {
  return [...value].length > maxVariableLength;
}

/** Returns whether a variable's value contains a link: a scheme, `www.`, or a domain followed by a path. */
export function containsLink(value: string): boolean {
  return /\w:\/\/\S|\bwww\.\S|\.[a-z]{2,63}\/\S/i.test(value);
}
