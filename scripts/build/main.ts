/**
 * `npm run build`: builds the packages.
 *
 * In: `src/`, `generated/`, and the files that each `package.json` names. Out: `src/<package>/dist/`. A failed build leaves the
 * old folder in place.
 */
import { runBuild } from './command.ts';

process.exitCode = await runBuild(process.argv.slice(2));
