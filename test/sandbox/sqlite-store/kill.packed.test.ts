import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { amounts } from '../../support/amounts.ts';

const { kills } = amounts;
const keys = ['one', 'two'];
const creators = 3;

// The built command starts several times faster than its source.
/** Starts the command with a folder, in a process that can be killed. Rejects if it cannot start, for example because a file is damaged. */
async function start(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const command = join(repositoryRoot, 'src', 'sandbox', 'dist', 'bin', 'carillon-sandbox.js');
  const child = spawn(process.execPath, [
    command,
    '--port',
    '0',
    '--quiet',
    '--data',
    folder,
    '--worlds',
    'credential',
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`The sandbox did not start: ${errors}`);
}

/** Contents of a world: names of its deals, and numbers of contacts and messages. */
interface Content {
  deals: ReadonlySet<string>;
  contacts: number;
  messages: number;
}

/** Times of a request and its answer. An unanswered request may have been processed. */
interface Sent {
  sent: number;
  answered?: number;
}

/** A request that creates a deal. */
interface Creation extends Sent {
  name: string;
}

/** A request that replaces the data of its world. */
interface Replacement extends Sent {
  content: Content;
}

/** Requests to a world in one life of the server. */
interface History {
  before: Content;
  creations: Creation[];
  replacements: Replacement[];
}

let clock = 0;
const tick = (): number => (clock += 1);

class World {
  readonly #key: string;
  #url = '';
  #snapshot: Content | undefined;
  #names = 0;
  history: History = { before: { deals: new Set(), contacts: 0, messages: 0 }, creations: [], replacements: [] };
  hasBegun = false;

  constructor(key: string) {
    this.#key = key;
  }

  async begin(url: string): Promise<void> {
    this.#url = url;
    this.hasBegun = true;
    this.history = { before: await this.content(), creations: [], replacements: [] };
    if (this.#snapshot) return;
    await this.#call('PUT', '/__sandbox/snapshots/kept');
    this.#snapshot = this.history.before;
  }

  async content(): Promise<Content> {
    const { state } = (await this.#call('GET', '/__sandbox/state')) as {
      state: { crm: { deals: { record: { name: string } }[]; contacts: unknown[] }; email: { messages: unknown[] } };
    };
    const deals = new Set(state.crm.deals.map(({ record }) => record.name));
    expect(deals.size).toBe(state.crm.deals.length);
    return { deals, contacts: state.crm.contacts.length, messages: state.email.messages.length };
  }

  /** Creates deals until the server is killed. */
  async create(): Promise<void> {
    for (;;) {
      this.#names += 1;
      const creation: Creation = { name: `${this.#key}-${this.#names}`, sent: tick() };
      this.history.creations.push(creation);
      const body = { pipelineId: 1, stepId: 11, name: creation.name };
      if (!(await this.#answered(creation, 'POST', '/crm/v1/deals', body))) return;
    }
  }

  /** Replaces the data by a reset, a restore or an import in turn, until the server is killed. */
  async replace(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const size = 200 + Math.floor(Math.random() * 2_000);
      const [path, body, content] = this.#replacement(turn % 3, size);
      const replacement: Replacement = { content, sent: tick() };
      this.history.replacements.push(replacement);
      const method = path.endsWith('state') ? 'PUT' : 'POST';
      if (!(await this.#answered(replacement, method, `/__sandbox/${path}`, body))) return;
      await delay(Math.random() * 20);
    }
  }

  #replacement(kind: number, size: number): [string, object, Content] {
    if (kind === 0) {
      // Seeds of the same size have the same deals.
      const deals = seededDeals(size);
      return ['reset', { seed: size }, { deals, contacts: size + 2, messages: size + 2 }];
    }
    if (kind === 1 && this.#snapshot) return ['snapshots/kept/restore', {}, this.#snapshot];
    this.#names += 1;
    const records = Array.from({ length: size }, (_, index) => ({
      createdAt: 0,
      updatedAt: 0,
      place: index,
      contacts: [],
      values: [],
      notes: [],
      record: { id: 1_000_000 + index, pipelineId: 1, stepId: 11, name: `import-${this.#names}-${index}` },
    }));
    const deals = new Set(records.map(({ record }) => record.name));
    return [
      'state',
      { state: { crm: { deals: records, contacts: [] }, email: { messages: [] } } },
      { deals, contacts: 0, messages: 0 },
    ];
  }

  async #answered(request: Sent, method: string, path: string, body: object): Promise<boolean> {
    const response = await this.#call(method, path, body).catch(() => undefined);
    if (response === undefined) return false;
    request.answered = tick();
    return true;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) expect.unreachable(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
}

/** Names of the deals in a seed. */
function seededDeals(size: number): Set<string> {
  const names = Array.from({ length: Math.floor(size / 10) }, (_, index) => `Renewal ${index + 1}`);
  return new Set(['Annual plan renewal', ...names]);
}

/**
 * Whether the content results from some order of the requests in which every answered one is applied, and every other one wholly or
 * not at all.
 */
function isExplained(found: Content, { before, creations, replacements }: History): boolean {
  const start: Replacement = { content: before, sent: 0, answered: 0 };
  return [start, ...replacements].some((last) => {
    const { content, sent, answered = Number.POSITIVE_INFINITY } = last;
    if (found.contacts !== content.contacts || found.messages !== content.messages) return false;
    // A later replacement that was answered would have overwritten it.
    if (replacements.some((other) => other.answered !== undefined && other.sent > answered)) return false;
    const created = new Map(creations.map((creation) => [creation.name, creation]));
    const own = [...found.deals].filter((name) => !content.deals.has(name));
    if (own.some((name) => !created.has(name))) return false;
    if ([...content.deals].some((name) => !found.deals.has(name))) return false;
    const isPresent = ({ name }: Creation): boolean => found.deals.has(name);
    const present = creations.filter(isPresent);
    const absent = creations.filter((creation) => creation.answered !== undefined && !isPresent(creation));
    return (
      absent.every((creation) => creation.sent < answered) &&
      present.every((creation) => (creation.answered ?? Number.POSITIVE_INFINITY) > sent) &&
      !absent.some((one) => present.some((other) => (other.answered ?? Number.POSITIVE_INFINITY) < one.sent))
    );
  });
}

test(`after kill -9 at any moment, ${kills} times, answered requests are applied and others wholly or not at all`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const worlds = keys.map((key) => new World(key));
  let answered = 0;
  let replaced = 0;
  for (let kill = 0; kill <= kills; kill += 1) {
    const { child, url } = await start(folder);
    for (const world of worlds) {
      const { history, hasBegun } = world;
      await world.begin(url);
      if (!hasBegun) continue;
      const { before: found } = world.history;
      if (!isExplained(found, history)) expect.unreachable(`kill ${kill}: ${JSON.stringify(describe(found, history))}`);
      answered += history.creations.filter((creation) => creation.answered).length;
      replaced += history.replacements.filter((replacement) => replacement.answered).length;
    }
    const writing = worlds.flatMap((world) => [
      ...Array.from({ length: creators }, () => world.create()),
      world.replace(),
    ]);
    // The last kills count only if a replacement was answered before one of them.
    const needsReplacement = replaced === 0 && kill === kills - 1;
    const isReplaced = ({ history }: World): boolean =>
      history.replacements.some((replacement) => replacement.answered);
    const isBusy = (): boolean =>
      worlds.every(({ history }) => history.creations.length > creators) &&
      (!needsReplacement || worlds.some(isReplaced));
    await expect.poll(isBusy, { timeout: 30_000, interval: 2 }).toBe(true);
    // Kill at a random moment.
    await delay(Math.random() * 300);
    child.kill('SIGKILL');
    await once(child, 'close');
    await Promise.all(writing);
  }
  // Ensure that the kills interrupted real work.
  expect(answered).toBeGreaterThan(kills);
  expect(replaced).toBeGreaterThan(0);
}, 3_600_000);

/** Summary of a violation for failure reports. */
function describe(found: Content, { before, creations, replacements }: History): object {
  const short = ({ deals, ...counts }: Content): object => ({ ...counts, deals: deals.size });
  return {
    found: { ...short(found), names: [...found.deals].slice(-5) },
    before: short(before),
    replacements: replacements.map(({ content, ...rest }) => ({ ...short(content), ...rest })),
    creations: creations.map((creation) => ({ ...creation, isPresent: found.deals.has(creation.name) })).slice(-40),
  };
}
