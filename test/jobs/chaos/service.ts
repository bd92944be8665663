import { createSandbox, DroppedConnection } from '../../../src/sandbox/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { sentAtHeader } from './definition.ts';

/** A sandbox as the service of a run, with counts of its requests. */
export interface Service {
  readonly url: string;
  /** Number of times that each marker or subject was created. More than 1 is a duplicate. */
  created(): Map<string, number>;
  /** Subjects of emails whose responses were dropped. */
  readonly dropped: ReadonlySet<string>;
  /** Number of lost responses. */
  lost(): number;
  /** Times of all requests, in milliseconds since 1970. */
  readonly times: readonly number[];
  /** Times of requests that look up a contact. */
  readonly lookups: readonly number[];
  /** Longest way in milliseconds from the program of a worker to a processed request. Beyond the deadline, something can be created twice. */
  longestWay(): number;
  /** Lets every request that creates a contact fail with status 500, or ends this. */
  fail(isFailing: boolean): void;
  close(): Promise<void>;
}

/**
 * Starts the service.
 *
 * @param options - `loss`: fraction of lost responses, half of them lost before the request is processed; `delay`: milliseconds before each
 * response
 */
export async function startService({ loss, delay = 0 }: { loss: number; delay?: number }): Promise<Service> {
  const sandbox = createSandbox();
  const lose = (): void => {
    for (const operation of ['createContact', 'sendEmailMessage'] as const) {
      for (const drop of ['after', 'before'] as const) {
        const randomSeed = drop === 'after' ? 1 : 2;
        sandbox.faults.add({ operation, drop, probability: loss / 2, times: 'always', randomSeed });
      }
    }
  };
  if (loss > 0) lose();
  const dropped = new Set<string>();
  const times: number[] = [];
  const lookups: number[] = [];
  let [lost, longestWay] = [0, 0];
  const server = await serve(
    {
      async respond(request) {
        times.push(Date.now());
        if (request.url.pathname.endsWith('/contacts/get-list')) lookups.push(Date.now());
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        const sentAt = Number(request.headers.get(sentAtHeader) ?? Date.now());
        longestWay = Math.max(longestWay, Date.now() - sentAt);
        return sandbox.respond(request).catch((error: unknown) => {
          if (error instanceof DroppedConnection) {
            lost += 1;
            const subject = /"subject":"([^"]+)"/.exec(request.text)?.[1];
            if (subject) dropped.add(subject);
          }
          throw error;
        });
      },
    },
    { port: 0 },
  );
  return {
    url: server.url,
    created() {
      const counts = new Map<string, number>();
      const count = (key: unknown): void => void counts.set(String(key), (counts.get(String(key)) ?? 0) + 1);
      for (const { record } of sandbox.state.crm.contacts.values())
        if (record.externalContactId?.length === 36) count(record.externalContactId);
      for (const { email } of sandbox.state.email.messages.values())
        if (email.subject.startsWith('row-')) count(email.subject);
      return counts;
    },
    dropped,
    lost: () => lost,
    times,
    lookups,
    longestWay: () => longestWay,
    fail(isFailing) {
      sandbox.faults.clear();
      if (isFailing) sandbox.faults.add({ operation: 'createContact', status: 500, times: 'always' });
      else if (loss > 0) lose();
    },
    close: () => server.close(),
  };
}
