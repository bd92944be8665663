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

const faults = z.array(z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.string()) }));
export type Fault = z.infer<typeof faults>[number];

/** Part of a page, by selectors. */
type Part = { include: string[] } | { exclude: string[] };

/**
 * What axe finds in a page, or in a part of it. The visit must bring axe along.
 *
 * @param rules - `colors`: only the rules about colours, after only the colours of a page have changed
 */
export async function findFaults(page: Page, part?: Part, rules: 'all' | 'colors' = 'all'): Promise<Fault[]> {
  const asked = { part, ...(rules === 'colors' && { runOnly: ['cat.color'] }) };
  const found = await page.evaluate(async ({ part, runOnly }) => {
    // Only violations travel: thousands of passes would take longer than the check.
    const options: axe.RunOptions = { preload: false, resultTypes: ['violations'], ...(runOnly && { runOnly }) };
    const { violations } = await window.axe.run(part ?? document, options);
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact: impact ?? null,
      nodes: nodes.map(({ html }) => html),
    }));
  }, asked);
  return faults.parse(found);
}
