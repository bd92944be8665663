import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const faults = z.array(z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.string()) }));
export type Fault = z.infer<typeof faults>[number];

/** Part of a page, by selectors. */
type Part = { include: string[] } | { exclude: string[] };

interface Choice {
  /** @default the whole page */
  part?: Part;
  /** Rules to skip. */
  without?: readonly string[];
}

/** Finds axe's violations in a page or frame, or in a part of it. */
export async function findFaults(page: Pick<Page, 'evaluate'>, { part, without = [] }: Choice = {}): Promise<Fault[]> {
  await prepareAxe(page);
  const found = await page.evaluate(
    async ({ part, without }) => {
      const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]));
      // Returns only violations, because transferring thousands of passes would take longer than the check.
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

/** Loads axe if the page does not have it, and waits for transitions. */
async function prepareAxe(page: Pick<Page, 'evaluate'>): Promise<void> {
  // Loaded on demand, because it takes a third as long as most pages.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axeScript}\nundefined`);
  await finishFading(page);
}

/** Waits for transitions, since a part that fades in has less contrast. Skips endless animations. */
function finishFading(page: Pick<Page, 'evaluate'>): Promise<void> {
  return page.evaluate(async () => {
    const fading = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    // Checks each frame, because `finished` of a transition may never settle if the page replaces the element.
    while (fading().length > 0) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
