/**
 * Samples that run on their page: `<run-sample>`.
 *
 * Markup, around the rendered block of a sample that is a complete program. Without JavaScript, it is only readable:
 *
 * ```html
 * <run-sample>…<pre>…</pre>…</run-sample>
 * ```
 *
 * Attributes, both optional: `program`, the JavaScript to run if the block has types, and `deadline`, in seconds (default 10).
 *
 * Script, once on each page with a sample, in a component of Astro:
 *
 * ```html
 * <script>
 *   import '../run/index.ts';
 * </script>
 * ```
 *
 * Client and sandbox are in a worker, which is loaded when a reader runs a sample. The inspector is loaded then, too. The code of a
 * sample becomes a module of the worker, so a policy in the headers of the worker's file has to allow `script-src 'self' blob:`. A
 * policy in the page need not: it does not apply to workers.
 */
import { RunSample } from './run-sample.ts';

if (!customElements.get('run-sample')) customElements.define('run-sample', RunSample);
