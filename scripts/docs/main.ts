/**
 * `npm run docs`: builds the documentation.
 *
 * In: `spec/`, `generated/`, `docs/`, and the TSDoc of `src/`.
 * Out: `site/`, for any static host. `site/redoc/` has a page for each spec that also opens from disk.
 */
import { runDocs } from './command.ts';

process.exitCode = await runDocs(process.argv.slice(2));
