/**
 * Runs the steps of an npm script: `node scripts/run.mjs [--install] <step> [-- <step>]...`. A step is a program of the
 * project (`.ts`), a tool of `node_modules` or `npm`, with its arguments. Environment variables come first (`NAME=value`).
 * A user's arguments go to the last step. `--install` installs packages that are missing or old.
 *
 * Without `node_modules`, it prints instructions. With `--help`, it runs at most the last step, and only if that is a program of the
 * project, and installs no packages. Plain JavaScript for any version of Node, because the project's version may not be installed yet.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install } from './command-line/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const installs = words[0] === '--install' && words.shift();
const isHelp = (word) => word === '--help' || word === '-h';

process.exitCode = await runAll(readSteps());

/** The steps as lists of words. */
function readSteps() {
  const steps = [[]];
  for (const word of words) {
    if (word === '--') steps.push([]);
    else steps.at(-1).push(word);
  }
  return steps;
}

async function runAll(steps) {
  const asksForHelp = words.some(isHelp);
  if (installs && !asksForHelp && !(await install(root))) return 1;
  if (!isInstalled()) {
    console.error('The packages of the project are not installed: run npm ci first.');
    return 1;
  }
  if (asksForHelp) return help(steps);
  for (const step of steps) {
    const code = await runStep(step, steps.length === 1);
    if (code !== 0) return code;
  }
  return 0;
}

function isInstalled() {
  return existsSync(join(root, 'node_modules', '.package-lock.json'));
}

async function runStep(step, isOnly) {
  const start = step.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(step.slice(0, start).map((word) => word.split(/=(.*)/s, 2)));
  const [program, ...args] = step.slice(start);
  if (!isOwn(program)) return spawnStep(program, args, env);
  // Runs in this process, so that signals reach the program. A Node that cannot run TypeScript starts the project's Node.
  if (!isOnly || !process.features.typescript) return spawnStep('node', [program, ...args], env);
  Object.assign(process.env, env);
  const file = join(root, program);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
  return process.exitCode ?? 0;
}

function isOwn(program) {
  return program.endsWith('.ts');
}

/** The terminal also sends Ctrl+C to the step, so this process waits for it to end. */
function spawnStep(command, args, env) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, env: { ...process.env, PATH: path, ...env } });
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function help(steps) {
  const last = steps.at(-1);
  if (isOwn(last.find((word) => !word.includes('=')))) return runStep(last, true);
  const lines = steps.map((step) => `  ${step.filter((word) => !isHelp(word)).join(' ')}`);
  console.log(`Usage: npm run ${process.env.npm_lifecycle_event} -- [arguments]\n\nRuns:\n${lines.join('\n')}\n`);
  console.log('The arguments are those of the last line.');
  return 0;
}
