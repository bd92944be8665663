/**
 * The program of a thread: runs files one after another, each when the one before has nothing left to do, as a process would
 * end. Before each it writes a line to both outputs, so that they can be told apart.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

const { files, mark }: { files: string[]; mark: string } = workerData;
const seen = new Set(state());
let index = 0;

/** What a program could leave for the next one. */
function state(): string[] {
  return [...Object.getOwnPropertyNames(globalThis), ...Object.keys(process.env).map((name) => `env ${name}`)];
}

function next(): void {
  const left = state().filter((name) => !seen.has(name));
  if (left.length > 0) throw new Error(`It left ${left.join(', ')}`);
  const file = files[index];
  index += 1;
  if (file === undefined) return;
  console.log(mark);
  console.warn(mark);
  parentPort?.postMessage('started');
  void import(pathToFileURL(file).href);
}

process.on('beforeExit', next);
next();
