import { diag, metrics } from '@opentelemetry/api';
import { MeterProvider, type MetricData, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMetrics } from '../../src/jobs/otel.ts';
import { changeStore } from './store/stores.ts';
import { open, tagJob } from './tag-job.ts';

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

test(`reports rows by state, gate, rate and workers, without values of rows`, async () => {
  const { jobs, folder } = await open(tagJob());
  const read = readMetrics();
  const stop = startMetrics(jobs);
  await jobs.plan(tagJob(), { options: ['secret name'], rate: 5 });
  changeStore(folder, `UPDATE jobs SET reason = 'the service at x is away'`);
  const before = await read();
  const of = { 'carillon.job': 'tags', 'carillon.job.definition': 'tags' };
  expect(valuesOf(before, 'carillon.jobs.gate')).toEqual([[of, 1]]);
  expect(valuesOf(before, 'carillon.jobs.rate.limit')).toEqual([[of, 5]]);
  expect(valuesOf(before, 'carillon.jobs.lookups')).toEqual([[of, 0]]);
  expect(valuesOf(before, 'carillon.jobs.workers')).toEqual([[of, 0]]);
  expect(JSON.stringify(before)).not.toContain('secret');
  await jobs.work({ until: 'tags' });
  const after = await read();
  const done = { ...of, 'carillon.job.state': 'finished', 'carillon.row.state': 'done' };
  expect(valuesOf(after, 'carillon.jobs.rows')).toContainEqual([done, 1]);
  expect(valuesOf(after, 'carillon.jobs.gate')).toEqual([[of, 0]]);
  stop();
  const reads = vi.spyOn(jobs, 'list');
  await read();
  expect(reads).not.toHaveBeenCalled();
});

test('a job is measured until an hour after its end', async () => {
  const { jobs, folder } = await open(tagJob());
  const read = readMetrics();
  onTestFinished(startMetrics(jobs));
  await jobs.plan(tagJob(), { options: [] });
  changeStore(folder, 'UPDATE jobs SET ended_at = ended_at - 3600000');
  expect(await read()).toEqual([]);
});

test('a database that is away leaves the metrics out, and ends nothing', async () => {
  const read = readMetrics();
  const error = vi.fn();
  const none = (): undefined => undefined;
  diag.setLogger({ error, warn: none, info: none, debug: none, verbose: none });
  onTestFinished(() => diag.disable());
  const stop = startMetrics({ list: () => Promise.reject(new Error('away')) });
  onTestFinished(stop);
  expect(await read()).toEqual([]);
  expect(error).toHaveBeenCalledWith('carillon-jobs/otel: the jobs could not be read', expect.any(Error));
});
