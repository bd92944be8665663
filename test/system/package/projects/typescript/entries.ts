/** The entries besides the client compile without the packages that they need at run time. */
import { createClient, type Middleware } from 'carillon';
import { createTracing } from 'carillon/otel';
import { openJobs } from 'carillon-jobs';
import { startMetrics } from 'carillon-jobs/otel';
import { createSandbox, type Sandbox } from 'carillon-sandbox';

export const sandbox: Sandbox = createSandbox();
export const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch: sandbox.fetch });
export const names: string[] = [...sandbox.state.crm.deals.values()].map(({ record }) => record.name ?? '');
export const middleware: Middleware = createTracing();
export const open = openJobs;
export const metrics = startMetrics;
