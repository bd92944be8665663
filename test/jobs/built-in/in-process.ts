import { createClient, isCarillonError } from '../../../src/client/index.ts';
import { LookupUnclearError } from '../../../src/jobs/index.ts';
import type { Found, JobDefinition, Json, SourceNotes, SourceRow, StepContext } from '../../../src/jobs/types.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { collect } from '../sources/files.ts';

/**
 * A sandbox and a worker's client, which sends each request once.
 *
 * @param change - changes a request's address
 */
export function openAccount(change: (url: URL) => void = () => undefined): {
  sandbox: Sandbox;
  api: ReturnType<typeof createClient>;
} {
  const sandbox = createSandbox();
  const send: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    change(url);
    return sandbox.fetch(url.href, init);
  };
  const options = { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: send };
  return { sandbox, api: createClient({ ...options, maxRetries: 0 }) };
}

type Api = StepContext['api'];

/** Notes without a database. */
export function notesInMemory(): SourceNotes {
  const all = new Map<string, number>();
  return {
    async add(notes) {
      for (const [text, number] of notes) all.set(text, all.get(text) ?? number);
    },
    async find(texts) {
      return new Map(
        texts.flatMap((text) => {
          const number = all.get(text);
          return number === undefined ? [] : [[text, number]];
        }),
      );
    },
  };
}

export async function rowsOf<Values, Options>(
  { source }: JobDefinition<Values, Options>,
  options: Options,
  api: Api,
): Promise<SourceRow<Values>[]> {
  const { rows } = await source(options, { api });
  const found = rows(notesInMemory());
  return Symbol.asyncIterator in found ? collect(found) : [...found];
}

/** Outcome of one row. */
export interface RowRun {
  /** Results by step name. */
  results: Record<string, Json>;
  /** Result of `find` by the name of the step whose response was lost. */
  found: Record<string, Found>;
}

/**
 * Runs a row's steps like the engine, without a database. After a failure, it looks the step up, and sends it again only if the lookup
 * finds no record.
 */
export async function runRow<Values, Options>(
  { steps }: JobDefinition<Values, Options>,
  { key, line, values }: SourceRow<Values>,
  options: Options,
  api: Api,
): Promise<RowRun> {
  const run: RowRun = { results: {}, found: {} };
  const signal = new AbortController().signal;
  const sentAt = new Date();
  for (const step of steps) {
    if (step.applies && !step.applies(values)) continue;
    const names = step.each?.(values).map((_, index) => `${step.name} ${index + 1}`) ?? [step.name];
    for (const [index, name] of names.entries()) {
      const marker = `marker-${key}-${name}`;
      const context = { api, options, key, line, marker, index, results: run.results, signal };
      run.results[name] = await step.send(values, context).then(undefined, async (error) => {
        if (step.repeatable) return step.send(values, context);
        // An error thrown before the request rejects the row.
        if (!step.find || !isCarillonError(error)) throw error;
        const found = await step.find(values, { ...context, sentAt, isRepaired: false });
        run.found[name] = found;
        if (found.outcome === 'unknown') throw new LookupUnclearError(found.reason);
        return found.outcome === 'done' ? (found.result ?? null) : step.send(values, context);
      });
    }
  }
  return run;
}
