import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rollup';

export const openapiFetch = 'openapi-fetch';
const file = join(dirname(createRequire(import.meta.url).resolve(openapiFetch)), 'index.mjs');

/** A part that is left out: a text that occurs exactly once, or all from one text to the next other one. */
interface Cut {
  from: string;
  /** The end of the part, which is left out too. */
  to?: string;
  /** What replaces it. */
  keep?: string;
}

/** What `src/core/openapi-client.ts` cannot reach, by reason. Rollup then leaves out the functions that nothing calls. */
const cuts: Record<string, Cut[]> = {
  'There is no middleware: hooks are called by the transport': [
    { from: '  const globalMiddlewares = [];\n' },
    { from: '      middleware: requestMiddlewares = [],\n' },
    { from: '    const finalMiddlewares = [', to: '];\n' },
    { from: '    let id;\n    let options;\n' },
    { from: '    if (finalMiddlewares.length) {\n      id =', to: '    if (!response) {\n      try {\n' },
    { from: '      } catch (error2) {', to: '    const contentLength', keep: '    const contentLength' },
  ],
  'Calls are made by `request`': [
    { from: ',\n    /** Call a GET endpoint */', to: '\n  };\n}\n', keep: '\n  };\n}\n' },
  ],
  'A call gives its base URL, which ends with no slash, its parameters and its serializers': [
    { from: '    baseUrl = "",\n' },
    { from: '  baseUrl = removeTrailingSlash(baseUrl);\n' },
    {
      from: 'let finalBaseUrl = baseUrl;',
      to: ' ?? baseUrl;\n    }',
      keep: 'const finalBaseUrl = localBaseUrl;',
    },
    { from: 'params = {},', keep: 'params,' },
    { from: 'fetchOptions || {}', keep: 'fetchOptions' },
    { from: 'options.params?.path', keep: 'options.params' },
    { from: '    querySerializer: globalQuerySerializer,\n' },
    { from: '    bodySerializer: globalBodySerializer,\n' },
    { from: '    pathSerializer: globalPathSerializer,\n' },
    { from: 'querySerializer: requestQuerySerializer,', keep: 'querySerializer,' },
    { from: ' = globalBodySerializer ?? defaultBodySerializer' },
    { from: 'pathSerializer: requestPathSerializer,', keep: 'pathSerializer,' },
    { from: '    let querySerializer = ', to: ' || defaultPathSerializer;\n' },
  ],
  'The transport decides about redirects, and there are no other options of requests': [
    { from: '    ...baseOptions\n' },
    { from: '      redirect: "follow",\n      ...baseOptions,\n' },
  ],
  'Headers are read only if somebody gave some': [
    {
      from: 'const finalHeaders = mergeHeaders(',
      keep: 'const finalHeaders = (headers ?? baseHeaders) && mergeHeaders(',
    },
  ],
  'The client gives `Request` and `fetch`, and a call does not': [
    { from: 'Request: CustomRequest = globalThis.Request', keep: 'Request' },
    { from: 'fetch: baseFetch = globalThis.fetch', keep: 'fetch' },
    { from: '      fetch = baseFetch,\n      Request = CustomRequest,\n' },
  ],
  'The body serializer needs no headers and returns text, and a call has no header parameters': [
    { from: 'bodySerializer(\n      body,', to: 'params.header)\n    );', keep: 'bodySerializer(body);' },
    { from: ' || // if serialized body', to: 'instanceof FormData' },
    { from: ',\n      params.header\n' },
  ],
  '`RequestRecord` takes every key itself': [{ from: '    for (const key in init) {', to: ';\n      }\n    }\n' }],
  '`fetch` needs no options of Node': [
    { from: '    requestInitExt = void 0,\n' },
    { from: '  requestInitExt = supportsRequestInitExt()', to: ';\n' },
    { from: '(request, requestInitExt)', keep: '(request)' },
  ],
  "The transport reads the answer: `parseAs` is 'stream', and `fetch` resolves to a body that is ok and not empty": [
    { from: '      parseAs = "json",\n' },
    {
      from: '    const contentLength = response',
      to: 'return { error, response };',
      keep: '    return { data: response.body };',
    },
  ],
  'The query serializer has no options': [
    { from: 'options?.allowReserved === true ? value : ' },
    {
      from: '  if (!value || typeof value',
      to: 'return final2;\n      }\n    }\n  }\n',
      keep: '  const values = [];\n',
    },
    { from: 'options.style === "deepObject" ? ' },
    { from: ' : k;', keep: ';' },
    { from: '  const final = values.join(joiner);\n', to: ' : final;', keep: '  return values.join("&");' },
    { from: '  if (!Array.isArray(value)) {', to: '"&";\n  const values', keep: '  const values' },
    { from: '    if (options.style === "simple"', to: '} else {\n', keep: '    {\n' },
    { from: 'return options.style === "label"', to: ' : values.join(joiner)', keep: 'return values.join("&")' },
    { from: ', {\n              style: "form",', to: '|| false\n            }', keep: '' },
    { from: ', {\n              style: "deepObject",', to: '|| false\n            }', keep: '' },
  ],
};

/** Includes openapi-fetch in the bundles, without what the client cannot reach. */
export const bundleOpenapiFetch: Plugin = {
  name: 'bundle-openapi-fetch',
  resolveId: (source) => (source === openapiFetch ? file : undefined),
  transform: (code, id) => (id === file ? leaveOutUnreachable(code) : undefined),
};

/**
 * @param code - the module of the version that `package.json` pins
 * @throws an error if it is another version: then look at each part again
 */
export function leaveOutUnreachable(code: string): string {
  let rest = code;
  for (const [reason, parts] of Object.entries(cuts)) {
    for (const { from, to, keep = '' } of parts) {
      const [before, after, ...more] = rest.split(from);
      const end = to === undefined ? 0 : (after?.indexOf(to) ?? -1);
      if (before === undefined || after === undefined || more.length > 0 || end < 0) {
        throw new Error(
          `The build does not know this version of ${openapiFetch}: '${from}' is not in it exactly once. It was left out because: ${reason}`,
        );
      }
      rest = before + keep + after.slice(end + (to?.length ?? 0));
    }
  }
  return rest;
}
