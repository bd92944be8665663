import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy, type Server } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { missingOpenssl } from '../../support/missing-openssl.ts';
import { readSnippets } from '../../support/snippets.ts';

if (missingOpenssl) console.warn(`The tests of proxies are skipped: ${missingOpenssl}`);

/** Runs a program in a process, because Node reads its authorities when it starts. */
const run = promisify(execFile);
const [, throughProxy, withCertificate] = readSnippets('docs/guides/proxies.md').map(({ code }) => code);

/** A folder in the repository, so that programs in it find the package, with certificates of a private authority. */
async function makeFolder(): Promise<(name: string) => string> {
  await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(repositoryRoot, '.cache', 'proxies-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test authority');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'subjectAltName=IP:127.0.0.1'];
  for (const name of ['service', 'client']) {
    await openssl(
      'req',
      '-x509',
      ...key,
      ...signed,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-subj',
      `/CN=${name}`,
    );
  }
  return (name) => join(folder, name);
}

async function start(server: Server | ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : expect.fail('no port');
}

/** The sandbox behind TLS, with the names of clients whose certificates it received. */
async function serveSandbox(file: (name: string) => string, requestCert: boolean) {
  const [key, cert, ca] = ['service.key', 'service.crt', 'ca.crt'].map((name) => readFileSync(file(name)));
  const sandbox = createSandbox();
  const clients: unknown[] = [];
  const server = createServer(
    { key, cert, ca, requestCert, rejectUnauthorized: requestCert },
    async (request, response) => {
      if ('getPeerCertificate' in request.socket && typeof request.socket.getPeerCertificate === 'function') {
        clients.push(request.socket.getPeerCertificate().subject?.CN);
      }
      const headers = { authorization: request.headers.authorization ?? '' };
      const result = await sandbox.fetch(`https://sandbox.example.com${request.url}`, { headers });
      response.writeHead(result.status, { 'content-type': 'application/json' }).end(await result.text());
    },
  );
  return { url: `https://127.0.0.1:${await start(server)}`, clients };
}

async function runProgram(
  file: string,
  code: string | undefined,
  environment: Record<string, string>,
): Promise<string> {
  await writeFile(file, code ?? '');
  const env = { PATH: process.env.PATH, CARILLON_API_KEY: 'any', ...environment };
  return (await run(process.execPath, [file], { env, timeout: 30_000 })).stdout;
}

test.skipIf(missingOpenssl)("the guide's program goes through a proxy, which sees only the host", async () => {
  const file = await makeFolder();
  const { url } = await serveSandbox(file, false);
  const seen: string[] = [];
  const proxy = createProxy((_, response) => response.writeHead(400).end());
  proxy.on('connect', ({ url: host = '' }, socket) => {
    seen.push(host);
    const { hostname, port } = new URL(`http://${host}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [onward, socket]) each.on('error', () => undefined);
  });
  const HTTPS_PROXY = `http://127.0.0.1:${await start(proxy)}`;
  const environment = { HTTPS_PROXY, CARILLON_URL: url, NODE_EXTRA_CA_CERTS: file('ca.crt') };
  expect(await runProgram(file('proxy.ts'), throughProxy, environment)).toBe('Connected through the proxy\n');
  expect(seen).toEqual([new URL(url).host]);
});

test.skipIf(missingOpenssl)(
  "the guide's program presents its certificate, and without one the service rejects the call",
  async () => {
    const file = await makeFolder();
    const { url, clients } = await serveSandbox(file, true);
    const environment = { CARILLON_URL: url, SERVICE_CA: file('ca.crt') };
    const certificate = { CLIENT_CERT: file('client.crt'), CLIENT_KEY: file('client.key') };
    const output = await runProgram(file('certificate.ts'), withCertificate, { ...environment, ...certificate });
    expect([output, clients]).toEqual(['Connected with the certificate\n', ['client']]);
    const without = withCertificate?.replace(/^ {2}(?:cert|key): .*\n/gm, '');
    expect(without).not.toBe(withCertificate);
    await expect(runProgram(file('without.ts'), without, environment)).rejects.toThrow(/ConnectionError/);
  },
);
