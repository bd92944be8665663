/**
 * `npm run build`: builds the package.
 *
 * In: `src/`, `generated/`, and the entries and commands that `package.json` names.
 * Out: `dist/`, which is replaced only if the build succeeds.
 */
import { runBuild } from './command.ts';

process.exitCode = await runBuild(process.argv.slice(2));
