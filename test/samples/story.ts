import type { SpecOperation } from '../../scripts/spec/model.ts';
import { isFailureBody } from '../../src/core/failure.ts';
import { createSandbox, type LoggedRequest } from '../../src/sandbox/index.ts';

/** The evening after everything of the story in spec/README.md: its bounce is still among those of the last 24 hours. */
const startAt = Date.UTC(2026, 10, 3, 18);

export interface Story {
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  readonly requests: readonly LoggedRequest[];
  /** Bodies of the answers that tell a failure, whatever their status. */
  readonly failures: string[];
}

/** A fresh sandbox, as the story leaves it. Before each request, the time passes that the operation's quota asks for. */
export function tellStory({ operation }: SpecOperation): Story {
  const sandbox = createSandbox({ startAt });
  sandbox.clock.freeze(startAt);
  const quota = operation['x-rate-limit'];
  const failures: string[] = [];
  return {
    requests: sandbox.requests,
    failures,
    async fetch(input, init) {
      const before = sandbox.requests.length;
      if (quota && before > 0 && before % quota.requests === 0) sandbox.clock.advance(quota.seconds * 1_000);
      const response = await sandbox.fetch(input, init);
      const text = await response.clone().text();
      if (!response.ok || (text !== '' && isFailureBody(JSON.parse(text)))) failures.push(text);
      return response;
    },
  };
}
