import type { Mark } from './schema.ts';

/** One text of a mark, with the gap of `spec/gaps.yaml` that it belongs to, if any. */
export interface MarkPoint {
  text: string;
  gap?: string;
}

/** The points of a mark, in order. */
export function markPoints(mark: Mark | undefined): MarkPoint[] {
  if (mark === undefined) return [];
  return [mark].flat().map((point) => {
    const { text, ...rest } = typeof point === 'string' ? { text: point } : point;
    return { text: text.trim(), ...rest };
  });
}
