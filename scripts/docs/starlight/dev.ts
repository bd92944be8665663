import { join } from 'node:path';
import { messageOf } from '../../../src/shared/message-of.ts';
import { readResults, resultsFolder } from '../../bench/results.ts';
import { runOnSave } from '../../command-line/run-on-save.ts';
import { loadSpec } from '../../spec/model.ts';
import { readProductReferences } from '../facts/product-reference.ts';
import { readGuides } from '../guides/read-guides.ts';
import { writtenPages } from '../pages/guides.ts';
import { homePage } from '../pages/home.ts';
import { ended, project, startAstro } from './astro.ts';
import { writePages, writeSources } from './sources.ts';

/**
 * Has Astro serve the guides and decisions, and shows every saved change in the browser. All other pages are left out, because a reload
 * takes longer with each page. Resolves to Astro's exit code.
 */
export async function serveGuides(report: (line: string) => void): Promise<number> {
  const references = readProductReferences(loadSpec);
  const operations = references.flatMap((reference) => reference.operations);
  const read = () => {
    const guides = readGuides(operations);
    const home = homePage(references, guides, readResults(resultsFolder));
    return { guides, pages: [home, ...writtenPages(guides, operations)] };
  };
  await writeSources({ ...read(), references, report });
  const astro = startAstro(['dev'], 'development', { stdio: 'inherit' });
  // The terminal also sends Ctrl+C to Astro.
  process.once('SIGTERM', () => astro.kill());
  const stop = new AbortController();
  const rewrite = async (): Promise<void> => {
    try {
      await writePages(read().pages);
    } catch (error) {
      report(messageOf(error));
    }
  };
  const folders = ['guides', 'decisions', 'diagrams'].map((name) => join(project, name));
  runOnSave(folders, rewrite, stop.signal);
  const code = await ended(astro);
  stop.abort();
  return code ?? 1;
}
