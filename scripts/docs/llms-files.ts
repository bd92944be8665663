import { renderLlms, renderLlmsFull } from '../generate/llms.ts';
import { modelSpec } from '../generate/operation-model.ts';
import type { Guide } from './guides.ts';
import { methodsPage } from './methods-page.ts';
import type { Reference } from './reference.ts';

/** `llms.txt` and `llms-full.txt` of the site: those of the package, with links to pages. */
export function renderLlmsFiles(
  references: readonly Reference[],
  guides: readonly Guide[],
): [file: string, text: string][] {
  const models = references.map(({ spec }) => modelSpec(spec));
  const links = [
    { title: 'All methods in full', href: 'llms-full.txt', about: 'parameters, limits, rules, error codes, examples' },
    { title: methodsPage.label, href: methodsPage.file, about: 'every method with its effect' },
    ...guides.map(({ title, page, lead }) => ({ title, href: page.file, about: lead })),
    ...references.map(({ spec, page }) => ({
      title: `${spec.document.info.title} reference`,
      href: page.file,
      about: 'every operation with its types',
    })),
  ];
  return [
    ['llms.txt', renderLlms(models, links)],
    ['llms-full.txt', renderLlmsFull(models)],
  ];
}
