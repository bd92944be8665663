import type { SpecOperation } from '../spec/model.ts';

/** Environment variables that the samples read. */
export const environment = { apiKey: 'CARILLON_API_KEY', baseUrl: 'CARILLON_BASE_URL' } as const;

/** Address of the sandbox that `npx carillon-sandbox` starts. A sample reaches nobody unless its reader sets another. */
export const sandboxUrl = 'http://127.0.0.1:4012';

/** What the samples say about the address. */
export const addressComment = "Start the sandbox with npx carillon-sandbox, or set your account's address.";

/** A credential that the sandbox accepts. */
export const sandboxKey = 'any';

/** Whether requests of the operation carry no credential. */
export function isAnonymous({ operation }: SpecOperation): boolean {
  return operation.security?.length === 0;
}
