import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { toResponse } from '../../../src/sandbox/http/request-and-response.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import type { PlainHandler } from '../../../src/shared/server/handler.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { readFixtures, readSnippets } from '../../support/snippets.ts';

/** The address in every guide. */
const documentedUrl = 'http://127.0.0.1:4012';
/** In milliseconds. A program that takes longer is killed, and its test fails. */
const patience = 30_000;

export interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A guide's unchanged program in its own folder, with its own sandbox. It runs in a process, as readers run it. */
export interface GuideProgram {
  sandbox: Sandbox;
  /** Starts the program. */
  start(environment?: Record<string, string>): ChildProcess;
  /** Runs the program until it exits. */
  run(environment?: Record<string, string>): Promise<Omit<Ended, 'signal'>>;
  /** Path of one of its files. */
  path(file: string): string;
  read(file: string): Promise<string>;
  write(file: string, content: string): Promise<void>;
  remove(file: string): Promise<void>;
}

export interface GuideOptions extends SandboxOptions {
  /** Intercepts requests between the program and the sandbox. */
  intercept?: (request: { url: string; body: string }, respond: () => Promise<Response>) => Promise<Response>;
}

/** Extracts the first program of a guide. All started processes end with the test. */
export async function prepareGuide(name: string, options: GuideOptions = {}): Promise<GuideProgram> {
  const page = `docs/guides/${name}.md`;
  const { intercept = (_, respond) => respond(), ...sandboxOptions } = options;
  const sandbox = createSandbox({ control: true, ...sandboxOptions });
  const respond: PlainHandler['respond'] = async (request) => {
    const shown = { url: request.url.href, body: request.text };
    const response = await intercept(shown, async () => toResponse(await sandbox.respond(request)));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: (await response.text()) || null,
    };
  };
  const server = await serve({ respond }, { port: 0 });
  // Inside the repository, so that `import 'carillon'` resolves to the built package.
  await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(repositoryRoot, '.cache', 'guide-'));
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const snippet = readSnippets(page).find(({ runs }) => runs);
  if (!snippet) throw new Error(`${page} has no program`);
  const write = (file: string, content: string): Promise<void> => writeFile(join(folder, file), content);
  await write('program.ts', snippet.code.replaceAll(documentedUrl, server.url));
  for (const { name: file, content } of readFixtures(page)) await write(file, content);

  const start = (environment: Record<string, string> = {}): ChildProcess => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, ...environment };
    const options = { cwd: folder, env, timeout: patience, killSignal: 'SIGKILL' } as const;
    const child = spawn(process.execPath, [join(folder, 'program.ts')], options);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  return {
    sandbox,
    start,
    async run(environment) {
      const { stdout, stderr, code } = await end(start(environment));
      // With the address in the guide.
      return { stdout: stdout.replaceAll(new URL(server.url).host, new URL(documentedUrl).host), stderr, code };
    },
    path: (file) => join(folder, file),
    read: (file) => readFile(join(folder, file), 'utf8'),
    write,
    remove: (file) => rm(join(folder, file)),
  };
}

/** Waits for the end of a program. */
export async function end(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The program was started without pipes');
  const [printed, complained] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { stdout: printed, stderr: complained, code: child.exitCode, signal: child.signalCode };
}

/** The ```text blocks of a guide, which its tests compare with the program's output. */
export async function shownOutputs(name: string): Promise<string[]> {
  const page = await readFile(join(repositoryRoot, 'docs', 'guides', `${name}.md`), 'utf8');
  return [...page.matchAll(/^```text\n(.*?)^```$/gms)].map(([, shown = '']) => shown);
}
