import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The script that a visit brings along if its test looks for faults. */
export const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export const faults = z.array(z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.string()) }));
export type Fault = z.infer<typeof faults>[number];

/** Part of a page, by selectors. */
type Part = { include: string[] } | { exclude: string[] };

interface Choice {
  /** @default the whole page */
  part?: Part;
  /** Rules that are not checked. */
  without?: readonly string[];
}

/** What axe finds in a page or a frame, or in a part of it. The visit must bring axe along. */
export async function findFaults(page: Pick<Page, 'evaluate'>, { part, without = [] }: Choice = {}): Promise<Fault[]> {
  await finishFading(page);
  const found = await page.evaluate(
    async ({ part, without }) => {
      const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]));
      // Only violations travel: thousands of passes would take longer than the check.
      const options: axe.RunOptions = { preload: false, resultTypes: ['violations'], rules };
      const { violations } = await window.axe.run(part ?? document, options);
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? null,
        nodes: nodes.map(({ html }) => html),
      }));
    },
    { part, without },
  );
  return faults.parse(found);
}

/** A part that fades in has less contrast than it will have. What never ends is no transition. */
export function finishFading(page: Pick<Page, 'evaluate'>): Promise<void> {
  return page.evaluate(async () => {
    const fading = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    // Frame by frame: `finished` of a transition may never settle if the page replaces the element.
    while (fading().length > 0) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
