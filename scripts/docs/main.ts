/**
 * `npm run docs`: builds the documentation.
 *
 * In: `spec/`, `generated/`, `docs/`, and the TSDoc of `src/`.
 * Out: `site/`, with a reference page for each spec. The pages open from disk, without a network.
 */
import { runDocs } from './command.ts';

process.exitCode = await runDocs(process.argv.slice(2));
