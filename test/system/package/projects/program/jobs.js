import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defineJob, openJobs } from 'carillon-jobs';

// Each of 200 rows is sent once by two processes at the same time, of which one is killed, on every runtime that has SQLite.
const [baseUrl, given, kill] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'carillon-jobs-'));
const sent = join(folder, 'sent.txt');
const rows = Array.from({ length: 200 }, (_, line) => ({
  key: `${line}\u2028`,
  line,
  values: { name: 'x'.repeat(300) },
}));
const job = defineJob({
  name: 'once',
  version: 1,
  deadline: 10_000,
  source: () => ({ checksum: async () => 'same', rows: () => rows }),
  steps: [
    {
      name: 'note',
      async send(_, { api, key, signal }) {
        appendFileSync(sent, `${key}\n`);
        if (kill !== undefined && readFileSync(sent, 'utf8').split('\n').length > 50)
          process.kill(process.pid, 'SIGKILL');
        await api.crm.tags.create({ name: `${folder} ${key}` }, { signal });
        return 7;
      },
      find: async (_, { key }) => {
        const times = readFileSync(sent, 'utf8')
          .split('\n')
          .filter((one) => one === key).length;
        if (times === 0) return { outcome: 'not done' };
        return times === 1 ? { outcome: 'done', result: 7 } : { outcome: 'unknown', reason: `sent ${times} times` };
      },
    },
  ],
});

async function work() {
  const client = { baseUrl, auth: { apiKey: 'any' } };
  const jobs = await openJobs({ definitions: [job], client, folder, logger: { warn() {} } });
  await jobs.plan(job, { options: {} });
  await jobs.work({ until: 'once' });
  const status = await jobs.status('once');
  await jobs.close();
  return status;
}

/** The options of this process, such as `run --allow-net` of Deno, are those of the other one. */
function startOther() {
  const own = globalThis.Deno ? ['run', '--no-prompt', '--allow-all'] : process.execArgv;
  return spawn(process.execPath, [...own, fileURLToPath(import.meta.url), baseUrl, folder, 'kill']);
}

try {
  if (kill !== undefined) await work();
  else {
    const other = startOther();
    const ended = new Promise((resolve) => other.on('exit', (_, signal) => resolve(signal)));
    while (!existsSync(sent) && other.exitCode === null) await sleep(10);
    const { rows: counts, state } = await work();
    const signal = await ended;
    const keys = readFileSync(sent, 'utf8').split('\n').filter(Boolean);
    if (state !== 'finished' || counts.done !== rows.length) throw new Error(`${state}: ${JSON.stringify(counts)}`);
    if (new Set(keys).size !== rows.length || keys.length !== rows.length) throw new Error(`${keys.length} were sent`);
    if (signal !== 'SIGKILL') throw new Error(`The other process ended with ${signal}`);
    const mode = (statSync(join(folder, 'jobs.sqlite')).mode & 0o777).toString(8);
    if (process.platform !== 'win32' && mode !== '600') throw new Error(`The mode is ${mode}`);
    console.log('done');
  }
} catch (error) {
  console.log(error.message);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
