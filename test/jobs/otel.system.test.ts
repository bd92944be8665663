import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diag, metrics } from '@opentelemetry/api';
import { MeterProvider, type MetricData, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { startMetrics } from '../../src/jobs/otel.ts';
import { connect, open, tagJob } from './tag-job.ts';

class Reader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

function readMetrics(): () => Promise<MetricData[]> {
  const reader = new Reader();
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(async () => {
    metrics.disable();
    await provider.shutdown();
  });
  return async () => (await reader.collect()).resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
}

const valuesOf = (found: readonly MetricData[], name: string): [unknown, unknown][] =>
  found
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap(({ dataPoints }) => dataPoints.map(({ attributes, value }): [unknown, unknown] => [attributes, value]));

test(`reports rows by state, gate, rate and lag, without values of rows`, async () => {
  const { jobs, folder } = await open(tagJob());
  const read = readMetrics();
  const stop = startMetrics(jobs);
  await jobs.plan(tagJob(), { options: ['secret name'], rate: 5 });
  const sql = await connect(database);
  await sql.query(`UPDATE carillon_jobs_queue.job SET start_after = now() - interval '90 seconds'`);
  await sql.query(`UPDATE carillon_jobs.jobs SET closed_wait = 500, closed_until = now() + interval '1 minute'`);
  const before = await read();
  const of = { 'carillon.job': 'tags', 'carillon.job.definition': 'tags' };
  expect(valuesOf(before, 'carillon.jobs.gate')).toEqual([[of, 1]]);
  expect(valuesOf(before, 'carillon.jobs.rate.limit')).toEqual([[of, 5]]);
  expect(valuesOf(before, 'carillon.jobs.lookups')).toEqual([[of, 0]]);
  expect(Number(valuesOf(before, 'carillon.jobs.lag')[0]?.[1])).toBeGreaterThanOrEqual(90);
  expect(JSON.stringify(before)).not.toContain('secret');
  await sql.query('UPDATE carillon_jobs.jobs SET closed_wait = NULL');
  await jobs.work({ until: 'tags' });
  const after = await read();
  const done = { ...of, 'carillon.job.state': 'finished', 'carillon.row.state': 'done' };
  expect(valuesOf(after, 'carillon.jobs.rows')).toContainEqual([done, 1]);
  expect(valuesOf(after, 'carillon.jobs.lag')).toEqual([[of, 0]]);
  stop();
  const reads = vi.spyOn(jobs, 'metrics');
  await read();
  expect(reads).not.toHaveBeenCalled();
});

test('a database that is away leaves the metrics out, and ends nothing', async () => {
  const read = readMetrics();
  const error = vi.fn();
  const none = (): undefined => undefined;
  diag.setLogger({ error, warn: none, info: none, debug: none, verbose: none });
  onTestFinished(() => diag.disable());
  const stop = startMetrics({ metrics: () => Promise.reject(new Error('away')) });
  onTestFinished(stop);
  expect(await read()).toEqual([]);
  expect(error).toHaveBeenCalledWith('carillon-jobs/otel: the jobs could not be read', expect.any(Error));
});

test('the Grafana board shows each metric, with and without the unit that some exporters add to its name', async () => {
  const board = await readFile(join(repositoryRoot, 'docs/guides/jobs-board.json'), 'utf8');
  const source = await readFile(join(repositoryRoot, 'src/jobs/otel.ts'), 'utf8');
  const units: Record<string, string> = { s: '(_seconds)?', '1': '(_ratio)?', '{request}/s': '(_per_second)?' };
  const names = [...source.matchAll(/gauge\('([\w.]+)', '[^']*', '([^']*)'\)/g)].map(
    ([, name = '', unit = '']) => `${name.replaceAll('.', '_')}${units[unit] ?? ''}`,
  );
  expect(names).toHaveLength(5);
  const used = new Set([...board.matchAll(/\bcarillon_jobs_\w+(?:\(\w+\)\?)?/g)].map(([name]) => name));
  expect([...used].toSorted()).toEqual(names.toSorted());
});
