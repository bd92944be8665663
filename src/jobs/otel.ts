/**
 * OpenTelemetry metrics of the jobs in one folder or database. Requires `@opentelemetry/api`.
 *
 * @module carillon-jobs/otel
 */
import { type Attributes, diag, metrics } from '@opentelemetry/api';
import type { Jobs } from './types.ts';

/** Milliseconds for which a job is still measured after its end. */
const measuredFor = 3_600_000;

/**
 * Reports metrics of the jobs in one folder or database, each time an SDK reader collects metrics. Jobs that ended more than an
 * hour ago are left out. Call this function after registering the SDK, in only one process per folder or database. The attributes are
 * the job's name, definition and state. They never contain values of rows.
 *
 * | metric | content |
 * |---|---|
 * | `carillon.jobs.rows` | number of rows, by `carillon.row.state`: planned, sent (in flight), done, rejected, invalid, unknown |
 * | `carillon.jobs.lookups` | number of sent rows without a worker, which wait for a lookup |
 * | `carillon.jobs.gate` | 1 while rows wait because the service fails or rejects further requests; otherwise 0 |
 * | `carillon.jobs.rate.limit` | maximum number of requests per second, for jobs with a limit |
 * | `carillon.jobs.workers` | number of workers that can send the rows of a job |
 *
 * @param jobs - result of `openJobs`
 * @returns a function that stops reporting
 * @example
 * ```ts
 * import { openJobs, sendEmails } from 'carillon-jobs';
 * import { startMetrics } from 'carillon-jobs/otel';
 *
 * const jobs = await openJobs({
 *   definitions: [sendEmails],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * const stop = startMetrics(jobs);
 * await jobs.work({ until: 'renewals' });
 * stop();
 * await jobs.close();
 * ```
 */
export function startMetrics(jobs: Pick<Jobs, 'list'>): () => void {
  const meter = metrics.getMeter('carillon-jobs');
  const gauge = (name: string, description: string, unit: string) =>
    meter.createObservableGauge(name, { description, unit });
  const gauges = {
    rows: gauge('carillon.jobs.rows', 'Number of rows in a job, by state', '{row}'),
    lookups: gauge('carillon.jobs.lookups', 'Sent rows that wait for a lookup', '{row}'),
    gate: gauge('carillon.jobs.gate', '1 while rows wait for the service', '1'),
    rate: gauge('carillon.jobs.rate.limit', 'Maximum requests per second', '{request}/s'),
    workers: gauge('carillon.jobs.workers', 'Workers that can send the rows of a job', '{worker}'),
  };
  const observables = Object.values(gauges);
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
    try {
      for (const job of await jobs.list()) {
        const { name, definition, state, rows, lookups, reason, waitingUntil, rate, workers, endedAt } = job;
        if (endedAt !== undefined && endedAt.getTime() < Date.now() - measuredFor) continue;
        const of: Attributes = { 'carillon.job': name, 'carillon.job.definition': definition };
        for (const [row, count] of Object.entries(rows))
          result.observe(gauges.rows, count, { ...of, 'carillon.job.state': state, 'carillon.row.state': row });
        result.observe(gauges.lookups, lookups?.rows ?? 0, of);
        result.observe(gauges.gate, state === 'running' && (reason ?? waitingUntil) ? 1 : 0, of);
        result.observe(gauges.workers, workers, of);
        if (rate !== undefined) result.observe(gauges.rate, rate, of);
      }
    } catch (error) {
      // The database may be unreachable. The next collection tries again.
      diag.error('carillon-jobs/otel: the jobs could not be read', error);
    }
  };
  meter.addBatchObservableCallback(observe, observables);
  return () => meter.removeBatchObservableCallback(observe, observables);
}
