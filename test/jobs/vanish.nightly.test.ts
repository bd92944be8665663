import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isStopped, kill, startWorker } from './chaos/crew.ts';
import { openChaosJob } from './chaos/open-chaos-job.ts';
import { missingPostgres, startPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const isRoot = process.getuid?.() === 0;
const [host, guest] = ['10.213.7.1', '10.213.7.2'];

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/** Creates a network namespace that stands for a machine. Needs root. */
async function createMachine(): Promise<{ name: string; vanish(): void }> {
  const name = `carillon${process.pid}`;
  const [outside, inside] = [`co${process.pid}`, `ci${process.pid}`];
  ip('netns', 'add', name);
  onTestFinished(() => ip('netns', 'del', name));
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside);
  ip('link', 'set', inside, 'netns', name);
  ip('addr', 'add', `${host}/24`, 'dev', outside);
  ip('link', 'set', outside, 'up');
  ip('-n', name, 'addr', 'add', `${guest}/24`, 'dev', inside);
  ip('-n', name, 'link', 'set', inside, 'up');
  await vi.waitFor(() => expect(readFileSync(`/sys/class/net/${outside}/operstate`, 'utf8')).toBe('up\n'), 30_000);
  // Drops packets in both directions without an error.
  return { name, vanish: () => ip('-n', name, 'link', 'set', inside, 'down') };
}

// Takes minutes: the worker waits for the system's keep-alives.
test.skipIf(missingPostgres || !isRoot)(
  `continues the rows of a machine with lost packets within a minute, including its sent row${isRoot ? '' : ' (skipped: it needs root)'}`,
  { timeout: 150_000 },
  async () => {
    const machine = await createMachine();
    const postgres = await startPostgres({ address: host });
    onTestFinished(() => postgres.stop());
    const deadline = 1_000;
    const { database, service, job, jobs } = await openChaosJob(postgres.port, deadline);
    await jobs.plan(job, { options: { rows: 9 } });
    const settings = { database: database.replace('127.0.0.1', host), service: service.url, deadline, concurrency: 1 };
    const victim = startWorker({ ...settings, stopAt: 1, stopIn: 'fetch', folder: temporaryFolder() }, [
      'ip',
      'netns',
      'exec',
      machine.name,
    ]);
    onTestFinished(() => kill(victim));
    await victim.isLoaded;
    victim.begin();
    await isStopped(victim).catch((error: unknown) => {
      throw new Error(`the worker ended: ${victim.errors}`, { cause: error });
    });
    machine.vanish();
    // The machine is unreachable, so the kill sends no packets to the database.
    await kill(victim);

    const vanished = performance.now();
    await jobs.work({ until: job.name });
    const seconds = (performance.now() - vanished) / 1_000;
    console.log(`the rows of a machine that vanished continue after ${seconds.toFixed(0)} seconds`);
    expect(seconds).toBeLessThan(60);
    expect(await jobs.status(job.name)).toMatchObject({ rows: { done: 9 } });
    expect([...service.created().values()].filter((count) => count !== 1)).toEqual([]);
  },
);
