/**
 * `npm run generate`: generates code from the specs.
 *
 * In: `spec/`, which is linted first.
 * Out: `generated/`: types, methods, validators, operations and a report for each spec. `--check` compares instead of
 * writing, `--watch` regenerates after every save.
 */
import { runGenerate } from './command.ts';

process.exitCode = await runGenerate(process.argv.slice(2));
