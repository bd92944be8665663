/** The parts of Prism that the mock uses. In the package, `dist/prism.cjs`
 * is this module with everything that it imports. */
export { createLogger } from '@stoplight/prism-core';
export { createInstance, ProblemJsonError } from '@stoplight/prism-http';
export { getHttpConfigFromRequest } from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
