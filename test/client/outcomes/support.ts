import { type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/index.ts';

export const silent = { warn: () => undefined };

/** A client over real HTTP with back-off waits of zero. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void random.mockRestore());
  return createClient({ baseUrl, auth: { apiKey: 'k3y-value' }, logger: silent, ...options });
}

/** Returns the reason of a rejection. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('The call did not fail');
}

/** A refused connection as the platform's `fetch` reports it. */
export function refusal(code = 'ECONNREFUSED'): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
}

/** Records uncaught errors, unhandled rejections and warnings of the process during a test. */
export function watchProcess(): { problems: string[]; settled(): Promise<void> } {
  const problems: string[] = [];
  const reject = (reason: unknown): void => void problems.push(`unhandled: ${String(reason)}`);
  const warn = (warning: Error): void => void problems.push(`warning: ${warning.name}`);
  const fail = (error: Error): void => void problems.push(`uncaught: ${error.message}`);
  process.on('unhandledRejection', reject).on('warning', warn).on('uncaughtException', fail);
  onTestFinished(
    () => void process.off('unhandledRejection', reject).off('warning', warn).off('uncaughtException', fail),
  );
  return {
    problems,
    // Node reports all of them after the microtasks of a turn.
    async settled() {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Makes Node's own `fetch` use a dispatcher during a test. */
export function useDispatcher(dispatcher: Dispatcher): void {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(dispatcher);
  onTestFinished(async () => {
    setGlobalDispatcher(before);
    await dispatcher.destroy();
  });
}
