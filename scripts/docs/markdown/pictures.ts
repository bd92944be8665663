import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';

/** A diagram of `docs/diagrams`, inline. */
export function drawDiagram(name: string, caption: string): string {
  const svg = readFileSync(join(repositoryRoot, 'docs', 'diagrams', name), 'utf8');
  // Remove blank lines, which would end the HTML block.
  return `<figure class="diagram">\n${svg.trim().replace(/\n\s*\n/g, '\n')}\n<figcaption>${caption}</figcaption>\n</figure>`;
}

/** A picture of `npm run screenshots`, which follows the page's theme. */
export function picture(name: string, caption: string): string {
  const image = (theme: string, other: string): string =>
    `<img class="${other}:sl-hidden" src="/pictures/${name}-${theme}.webp" alt="${caption}" width="${pictureSize.width}" height="${pictureSize.height}" loading="lazy">`;
  return `<figure class="picture">\n${image('light', 'dark')}${image('dark', 'light')}\n<figcaption>${caption}</figcaption>\n</figure>`;
}

/** In CSS pixels. The files have twice as many. */
export const pictureSize = { width: 640, height: 440 };
