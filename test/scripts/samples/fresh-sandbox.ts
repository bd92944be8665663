import { isFailureBody } from '../../../src/client/core/read.ts';
import { createSandbox, type LoggedRequest } from '../../../src/sandbox/index.ts';

export interface FreshSandbox {
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  readonly requests: readonly LoggedRequest[];
  /** Bodies of the responses that report a failure, with any status. */
  readonly failures: string[];
}

/** The sandbox that `npx carillon-sandbox` starts without options. Its clock follows the machine's. */
export function freshSandbox(): FreshSandbox {
  const sandbox = createSandbox();
  const failures: string[] = [];
  return {
    requests: sandbox.requests,
    failures,
    async fetch(input, init) {
      const response = await sandbox.fetch(input, init);
      const text = await response.clone().text();
      if (!response.ok || (text !== '' && isFailureBody(JSON.parse(text)))) failures.push(text);
      return response;
    },
  };
}
