import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Page {
  /** File name in `site/`. */
  file: string;
  /** Label in the header. */
  label: string;
  /** The menu of the header that has the page. The others are in the bar itself. */
  menu?: 'project';
}

/** The name in the header links to it. */
export const startPage: Page = { file: 'index.html', label: 'Carillon' };

export function readTemplate(name: string): string {
  return readFileSync(join(import.meta.dirname, 'templates', name), 'utf8').trim();
}
