import { createClient } from '../../../src/client/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { messageOf } from '../../../src/shared/message-of.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { measure, type Step } from './execute.ts';
import { NextProcess } from './next-process.ts';
import { visit } from './next-visit.ts';

/** The steps that test the installed Next.js app, in order. */
export function listNextSteps(folder: string): Step[] {
  return [
    { name: 'Next.js, build', run: () => measure(() => new NextProcess(folder, ['build']).end()) },
    { name: 'Next.js, start, in Chromium', run: () => measure(() => visitServed(folder, 'start')) },
    { name: 'Next.js, dev, in Chromium', run: () => measure(() => visitServed(folder, 'dev')) },
  ];
}

/** Serves the app with a sandbox that has a few pages of deals and contacts, and visits it. */
async function visitServed(folder: string, command: 'start' | 'dev'): Promise<void> {
  const sandbox = createSandbox({ seed: 12 });
  const service = await serve({ respond: (request) => sandbox.respond(request) }, { port: 0 });
  const client = createClient({ baseUrl: service.url, auth: { apiKey: 'any' } });
  const names = ['Trial', 'Upgrade', 'Support', 'Training', 'Migration', 'Audit'];
  for (const name of names) await client.crm.deals.create({ pipelineId: 1, stepId: 11, name });
  const environment = { CARILLON_BASE_URL: service.url, CARILLON_API_KEY: 'any' };
  const next = new NextProcess(folder, [command, '--port', '0', '--hostname', '127.0.0.1'], environment);
  try {
    await visit({ url: await next.url(), sandbox });
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${next.printed}`, { cause: error });
  } finally {
    await next.stop();
    await service.close();
  }
  next.checkOutput();
}
