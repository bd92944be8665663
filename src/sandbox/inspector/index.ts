/**
 * `<sandbox-inspector>`, an element for web pages that shows requests, responses, records, scenario, clock, faults and
 * snapshots of a sandbox.
 *
 * @module carillon-sandbox/inspector
 */
import { defineInspector } from './element.ts';
import type { SandboxInspector } from './interface.ts';

export type { InspectedSandbox, InspectorLinks, InspectorMembers, SandboxInspector } from './interface.ts';

/**
 * Registers the element `<sandbox-inspector>`. Further calls return the same class.
 *
 * @returns the class of the element
 * @throws `Error` outside a browser
 * @example
 * ```ts
 * import { createSandbox } from 'carillon-sandbox';
 * import { registerInspector } from 'carillon-sandbox/inspector';
 *
 * const sandbox = createSandbox({ control: true });
 * const Inspector = registerInspector();
 * const inspector = new Inspector();
 * inspector.sandbox = sandbox;
 * document.body.append(inspector);
 *
 * await sandbox.fetch('https://sandbox.example.com/crm/v1/users', { headers: { authorization: 'Bearer any' } });
 * await inspector.refresh();
 * ```
 */
export function registerInspector(): new () => SandboxInspector {
  if (typeof customElements === 'undefined')
    throw new Error('The inspector requires a browser that supports custom elements');
  return defineInspector();
}
