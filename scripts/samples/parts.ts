import type { SpecOperation } from '../spec/model.ts';

/** Environment variable with the API key. */
export const keyVariable = 'CARILLON_API_KEY';

/**
 * Address of the sandbox that `npx carillon-sandbox` starts. Samples call only this machine until a reader changes it.
 */
export const sandboxUrl = 'http://127.0.0.1:4012';

/** Comment next to the address in samples. */
export const addressComment = 'The sandbox: npx carillon-sandbox';

/** A credential that the sandbox accepts. */
export const sandboxKey = 'any';

/** Whether the operation's requests carry no credential. */
export function isAnonymous({ operation }: SpecOperation): boolean {
  return operation.security?.length === 0;
}
