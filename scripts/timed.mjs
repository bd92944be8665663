/**
 * Runs commands one after another, stops at the first that fails, and prints how long each took:
 * `node scripts/timed.mjs npm run -s lint + vitest run`. The arguments that a user adds go to the last one. Plain JavaScript for any version of
 * Node, because `.ci/run` starts it before `npm ci`.
 */
import { run } from './run.mjs';

const commands = [[]];
for (const word of process.argv.slice(2)) {
  if (word === '+') commands.push([]);
  else commands.at(-1).push(word);
}

const lines = [];
for (const command of commands) {
  const started = performance.now();
  process.exitCode = await run(command[0], command.slice(1));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ending = process.exitCode === 0 ? '' : `  failed (${process.exitCode})`;
  lines.push(`${seconds.padStart(7)} s  ${command.join(' ')}${ending}`);
  if (process.exitCode !== 0) break;
}
console.log(`\n${lines.join('\n')}`);
