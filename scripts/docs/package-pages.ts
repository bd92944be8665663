import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { pagePaths } from './addresses.ts';
import type { SitePage } from './page.ts';

const front = z.object({ title: z.string(), description: z.string() });

/**
 * Reads the pages of the packages, which `starlight-typedoc` writes during Astro's build.
 *
 * @param folder - folder of all pages
 */
export function readPackagePages(folder: string): SitePage[] {
  const from = join(folder, pagePaths.packages);
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return files.map((file) => {
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(readFileSync(join(from, file), 'utf8')) ?? [];
    // Astro lower-cases addresses.
    const name = file.toLowerCase().replace(/(?:(?:^|\/)index)?\.md$/, '');
    return {
      path: `${pagePaths.packages}${name && `${name}/`}`,
      ...front.parse(parse(head)),
      body,
    };
  });
}
