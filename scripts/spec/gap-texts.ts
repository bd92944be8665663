import type { GapValue } from './schema.ts';

/** A gap in whole sentences, with the id of the entry of `spec/gaps.yaml` that it belongs to, if any. */
export interface GapText {
  text: string;
  gap?: string;
}

/** The gaps that an extension states, in order. */
export function gapTexts(value: GapValue | undefined): GapText[] {
  if (value === undefined) return [];
  return [value].flat().map((one) => {
    const { text, ...rest } = typeof one === 'string' ? { text: one } : one;
    return { text: text.trim(), ...rest };
  });
}
