/**
 * `npm run build`: builds the packages.
 *
 * In: `src/`, `generated/`, and what the `package.json` of each package names.
 * Out: `src/<package>/dist/`, which is replaced only if the build succeeds.
 */
import { runBuild } from './command.ts';

process.exitCode = await runBuild(process.argv.slice(2));
