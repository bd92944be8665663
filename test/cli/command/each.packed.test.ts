import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import type { PlainHandler } from '../../../src/shared/server/handler.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { amounts } from '../../support/amounts.ts';

const rows = amounts.eachRows;
const kills = rows > 10_000 ? 10 : 3;
/** Most KiB that memory may grow after the first third of the rows. */
const maxGrowth = 32 * 1024;
const command = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');

const { PATH, NODE_COMPILE_CACHE } = process.env;

/** A run of the command in its own process, which can be killed and whose memory can be measured. */
interface Run {
  child: ChildProcess;
  ended: Promise<unknown>;
  errors: Promise<string>;
}

/** Peak memory of a process in KiB. */
function peakMemory(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]);
}

it(
  `creates ${rows} rows exactly once although the command is killed ${kills} times`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-each-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const sandbox = createSandbox();
    const before = sandbox.state.crm.contacts.size;
    const created = (): number => sandbox.state.crm.contacts.size - before;
    let run: Run | undefined;
    let killed = 0;
    let next = Math.floor(rows / (kills + 1));
    const respond: PlainHandler['respond'] = async (request) => {
      const isCreation = request.url.pathname.endsWith('/contacts/create');
      if (!isCreation || created() < next || killed === kills) return await sandbox.respond(request);
      // Half of the kills come before the contact is created, the others before its response.
      const answer = killed % 2 === 0 ? undefined : await sandbox.respond(request);
      killed += 1;
      next += Math.floor(rows / (kills + 1));
      run?.child.kill('SIGKILL');
      await run?.ended;
      return answer ?? { status: 503, headers: {}, text: null };
    };
    const server = await serve({ respond }, { port: 0 });
    onTestFinished(() => server.close());
    const file = join(folder, 'contacts.csv');
    writeContacts(file);
    let last = '';
    for (let runs = 0; runs <= kills; runs += 1) {
      run = startEach(file, server.url);
      await run.ended;
      last = await run.errors;
    }
    expect(last).toMatch(/^[\d,]+ done, [\d,]+ done in earlier runs\.$/m);
    expect([killed, run?.child.exitCode]).toEqual([kills, 0]);
    const names = [...sandbox.state.crm.contacts.values()].map(({ record }) => record.firstName);
    expect(created()).toBe(rows);
    expect(new Set(names.filter((name) => name?.startsWith('First'))).size).toBe(rows);
  },
  60_000 + rows * 20,
);

// Fewer rows measure only how the process grows at first.
it.runIf(process.platform === 'linux' && rows > 10_000)(
  `memory does not grow with ${rows} rows`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-each-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const sandbox = createSandbox();
    const before = sandbox.state.crm.contacts.size;
    let run: Run | undefined;
    let atThird: number | undefined;
    let atEnd = 0;
    const respond: PlainHandler['respond'] = async (request) => {
      const created = sandbox.state.crm.contacts.size - before;
      if (created === Math.floor(rows / 3)) atThird = peakMemory(run?.child.pid);
      if (created === rows - 1) atEnd = peakMemory(run?.child.pid);
      return await sandbox.respond(request);
    };
    const server = await serve({ respond }, { port: 0 });
    onTestFinished(() => server.close());
    const file = join(folder, 'contacts.csv');
    writeContacts(file);
    run = startEach(file, server.url);
    await run.ended;
    expect([run.child.exitCode, sandbox.state.crm.contacts.size - before]).toEqual([0, rows]);
    console.log(`peak memory in KiB: ${atThird} after a third, ${atEnd} at the end`);
    expect(atEnd - (atThird ?? Number.NaN)).toBeLessThan(maxGrowth);
  },
  60_000 + rows * 20,
);

function writeContacts(file: string): void {
  const lines = Array.from({ length: rows }, (_, at) => `c-${at},First${at},Last${at}\n`);
  writeFileSync(file, `key,first_name,last_name\n${lines.join('')}`);
}

/** Starts the built command on a file of contacts, in the folder of the file. */
function startEach(file: string, url: string): Run {
  const child = spawn(
    process.execPath,
    [command, 'crm', 'contacts', 'create', '--each', file, '--responsible-id', '77', '--yes', '--timeout', '10'],
    {
      env: { PATH, NODE_COMPILE_CACHE, CARILLON_BASE_URL: url, CARILLON_API_KEY: 'any' },
      cwd: dirname(file),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  return { child, ended: once(child, 'close'), errors: text(child.stderr) };
}

it.runIf(process.platform === 'linux')(
  'a full disk leaves no part of a file of rejected rows, and is reported',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-each-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'contacts.csv');
    const lines = Array.from({ length: 3_000 }, (_, at) => `c-${at},Zoë${at},no ID\n`);
    writeFileSync(file, `key,first_name,responsible_id\n${lines.join('')}`);
    // Like a full disk, a file size limit fails after part of the text is written.
    const limited = 'trap "" XFSZ; ulimit -f 64; exec "$@"';
    const call = ['--sandbox', 'crm', 'contacts', 'create', '--each', file, '--yes'];
    const child = spawn('bash', ['-c', limited, 'bash', process.execPath, command, ...call], {
      env: { PATH, NODE_COMPILE_CACHE },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors = await text(child.stderr);
    expect(readdirSync(folder)).toEqual(['contacts.csv']);
    expect(errors).toContain('0 done, 3,000 rejected');
    expect(errors).toContain('contacts.csv.rejected.csv: ');
  },
);
