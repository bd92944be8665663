/** The parts of Prism that the mock uses. The build bundles this module with all that it imports into `dist/prism.cjs`. */
export { createLogger } from '@stoplight/prism-core';
export { createInstance, ProblemJsonError } from '@stoplight/prism-http';
export { getHttpConfigFromRequest } from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
