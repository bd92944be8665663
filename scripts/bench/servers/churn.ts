/**
 * Creates and deletes contacts in a sandbox in process. Prints the live heap after a tenth of the pairs and after all of
 * them, in bytes, as JSON. Needs `--expose-gc`.
 */
import { createSandbox } from '../../../src/sandbox/index.ts';
import { headers, requestOf } from '../requests.ts';

const pairs = Number(process.argv[2]);
const { method, base, path, body = '' } = requestOf('createContact');
const origin = 'https://sandbox.example.com';
const sandbox = createSandbox();

async function send(method: string, path: string, body: string | null): Promise<{ data: number | { id: number } }> {
  const reply = await sandbox.fetch(origin + base + path, { method, headers, body });
  if (!reply.ok) throw new Error(`${method} ${path} is answered with ${reply.status}`);
  const text = await reply.text();
  return text === '' ? { data: 0 } : JSON.parse(text);
}

function liveBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

let early = 0;
for (let done = 0; done < pairs; done += 1) {
  const { data } = await send(method, path, body);
  await send('DELETE', `/contacts/${typeof data === 'number' ? data : data.id}`, null);
  if (done === Math.floor(pairs / 10)) early = liveBytes();
}
console.log(JSON.stringify({ early, late: liveBytes() }));
