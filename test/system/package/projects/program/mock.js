// Compares the responses of `createMock` on this runtime with those of a mock that runs elsewhere.
import { createRequire } from 'node:module';
import { createMock } from 'carillon-mock';

const document = createRequire(import.meta.url)('carillon-mock/openapi.json');
const [, , baseUrl] = process.argv;
const mock = createMock();

function resolve(value) {
  const parts = value?.$ref?.slice(2).split('/');
  return parts ? parts.reduce((inner, part) => inner[part], document) : value;
}

/** A request with the examples of an operation. */
function requestOf(path, item, method) {
  const { parameters: own = [], requestBody } = item[method];
  const parameters = [...(item.parameters ?? []), ...own].map(resolve);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name).example),
  );
  const [example] = Object.values(resolve(requestBody)?.content['application/json'].examples ?? {});
  return { url: filled, method: method.toUpperCase(), body: example && JSON.stringify(example.value) };
}

const variants = [
  {},
  { prefer: 'code=404' },
  { prefer: 'dynamic=true, seed=7' },
  { authorization: '' },
  { 'content-type': 'text/plain' },
];
// Loads the engine first. It takes seconds on a busy machine, in which the other mock would close an open connection.
await mock.fetch('https://api.example.com/');
const different = [];
let count = 0;
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of ['get', 'post', 'put', 'delete'].filter((name) => name in item)) {
    const request = requestOf(path, item, method);
    for (const [index, headers] of [...variants, {}].entries()) {
      // The last variant is a wrong body.
      const body = index === variants.length && request.body ? '{"id":[]}' : request.body;
      const init = {
        method: request.method,
        headers: { authorization: 'Bearer any', ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body }),
      };
      if (init.headers.authorization === '') delete init.headers.authorization;
      const responses = await Promise.all(
        [mock.fetch(`https://api.example.com${request.url}`, init), fetch(baseUrl + request.url, init)].map(
          async (pending) => {
            const response = await pending;
            return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
          },
        ),
      );
      count += 1;
      if (responses[0] !== responses[1])
        different.push(`${request.method} ${request.url} ${JSON.stringify(headers)}\n${responses.join('\n')}`);
    }
  }
}
console.log(different.length === 0 ? `${count} responses are the same` : different.slice(0, 5).join('\n\n'));
