import type { SpecOperation } from '../spec/model.ts';
import type { Guide } from './guides.ts';
import { html } from './html.ts';
import { findMethods } from './method-links.ts';
import { openPage } from './open-page.ts';
import type { OpenGroup } from './open-points.ts';
import { methodOf } from './search/operation-entries.ts';
import { consoleLink } from './try/console-link.ts';

/**
 * What the reference says first about an operation: what is called, from where, and where to try it. Redoc drops spaces
 * between elements, so they are inside.
 */
export function describeCall(operation: SpecOperation): string {
  const { method, base, path, operationId } = operation;
  const verb = method.toLowerCase();
  return html`<p class="hub"><span class="call"><strong class="verb ${verb}">${method} </strong><code>${base}${path} </code></span><code class="method">api.${methodOf(operation)}() </code><a class="try" href="${consoleLink(operationId)}">Try it</a></p>`
    .source;
}

/** What else the site has about an operation, as Markdown blocks. */
export function describeMore(
  operation: SpecOperation,
  openGroups: readonly OpenGroup[],
  guides: readonly Guide[],
): string[] {
  const open = openGroups.find(({ id }) => id === operation.operationId);
  const using = guides.filter((guide) => usesOf(guide).has(methodOf(operation)));
  const links = using.map(({ title, page }) => `[${title}](${page.file})`);
  return [
    open ? `**Open points.** [What is not documented here](${openPage.file}#${open.id}) (${open.points.length})` : '',
    links.length > 0 ? `**Guides.** ${links.join(' · ')}` : '',
  ].filter((block) => block !== '');
}

const uses = new WeakMap<Guide, ReadonlySet<string>>();

/** The methods that a guide names. */
function usesOf(guide: Guide): ReadonlySet<string> {
  const known = uses.get(guide);
  if (known) return known;
  const found = new Set(findMethods(guide.content.map(({ raw }) => raw).join('')).map(methodOf));
  uses.set(guide, found);
  return found;
}
