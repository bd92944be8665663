/**
 * Samples that run on their page: `<run-sample>`.
 *
 * Markup, around the rendered block of a sample that is a complete program. Without JavaScript, it is only readable:
 *
 * ```html
 * <run-sample>…<pre>…</pre>…</run-sample>
 * ```
 *
 * Attributes, both optional: `deadline`, in seconds (default 10), and `rules`, the page whose anchors are the IDs of rules and choices
 * (default `/reference/rules/`).
 *
 * Script, once on each page with a sample, in a component of Astro:
 *
 * ```html
 * <script>
 *   import '../run/index.ts';
 * </script>
 * ```
 *
 * It needs a policy that allows `script-src 'self' blob:`: the code of a sample is a module of its own. Client and sandbox are in a
 * worker, which is loaded when a reader runs a sample. The inspector is loaded then, too.
 */
import { RunSample } from './run-sample.ts';

if (!customElements.get('run-sample')) customElements.define('run-sample', RunSample);
