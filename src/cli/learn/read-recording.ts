import { JSONParser } from '@streamparser/json';
import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { Recorder } from '../../shared/observed/recorder.ts';
import { listOperations } from '../../shared/operation.ts';
import { learntProducts } from './products.ts';

// `@streamparser/json` emits each entry while it parses. It has no dependencies, runs on Node 20, and has the MIT licence.

/** Number of replies that were learned, and of those that were ignored, by reason. */
export interface Taken {
  taken: number;
  /** Replies of other addresses. */
  elsewhere: number;
  /** Replies of the service to undocumented paths. */
  unknown: number;
  /** Requests without a recorded reply or body. */
  incomplete: number;
}

/** A reply of a recording. */
interface Recorded {
  operationId?: string | undefined;
  method?: string | undefined;
  url?: string | undefined;
  status: number;
  body: unknown;
}

/**
 * Passes each reply of a recording to a recorder. A recording is a HAR file, or NDJSON with `operationId` (or `method` and `url`), `status`
 * and `body`. The file is streamed, so memory does not grow with it.
 *
 * @param name - name of the file in messages
 * @param baseUrl - address of the service. Replies of other addresses are only counted.
 * @throws `UsageError` if the file is neither HAR nor NDJSON
 */
export async function readRecording(
  chunks: AsyncIterable<Buffer>,
  name: string,
  baseUrl: string,
  recorder: Recorder,
): Promise<Taken> {
  const result: Taken = { taken: 0, elsewhere: 0, unknown: 0, incomplete: 0 };
  const take = (recorded: Recorded | undefined): void => takeReply(recorded, new URL(baseUrl), recorder, result);
  if (/\.har$/i.test(name)) await readHar(chunks, name, take);
  else if (/\.(?:ndjson|jsonl)$/i.test(name)) await readLines(chunks, name, take);
  else if (/\.zip$/i.test(name))
    throw new UsageError(`${name} is an archive. Unpack it, and name the .har file in it.`);
  else throw new UsageError(`${name} is neither a .har nor a .ndjson file. Rename it, or record traffic as HAR.`);
  return result;
}

function takeReply(recorded: Recorded | undefined, base: URL, recorder: Recorder, result: Taken): void {
  const { operationId, method = '', url, status = 0, body } = recorded ?? {};
  // Redirects and replies from a cache do not show the service's form.
  if (status < 200 || (status >= 300 && status < 400) || body === missing) {
    result.incomplete += 1;
    return;
  }
  let id = operationId;
  if (id === undefined || url !== undefined) {
    const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
    const prefix = base.pathname.replace(/\/?$/, '/');
    if (address?.origin !== base.origin || !address.pathname.startsWith(prefix)) {
      result.elsewhere += 1;
      return;
    }
    id ??= findOperation(method, address.pathname.slice(prefix.length - 1));
  }
  if (id === undefined || !recorder.isOperation(id)) {
    result.unknown += 1;
    return;
  }
  if (recorder.record(id, status, body)) result.taken += 1;
  else result.incomplete += 1;
}

/** Marks a body that the recording lacks. */
const missing = Symbol('missing');

async function readHar(
  chunks: AsyncIterable<Buffer>,
  name: string,
  take: (recorded: Recorded | undefined) => void,
): Promise<void> {
  // Only one entry is in memory at a time.
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false, stringBufferSize: 65_536 });
  let found = 0;
  parser.onValue = ({ value }) => {
    found += 1;
    take(readEntry(value));
  };
  let isBroken = false;
  // Do not quote the parser's error, which can contain data.
  parser.onError = () => {
    isBroken = true;
  };
  for await (const chunk of chunks) {
    parser.write(chunk);
    if (isBroken || parser.isEnded) break;
  }
  if (isBroken || !parser.isEnded)
    throw new UsageError(`${name} is not JSON after its entry ${found}. Record the traffic again.`);
  if (found === 0) throw new UsageError(`${name} has no log.entries. Name a HAR file, version 1.2.`);
}

function readEntry(entry: unknown): Recorded | undefined {
  const { request, response } = Object(entry);
  if (!isRecord(request) || !isRecord(response) || typeof response.status !== 'number') return undefined;
  return {
    method: asText(request.method),
    url: asText(request.url),
    status: response.status,
    body: readContent(response.content, response.status),
  };
}

function readContent(content: unknown, status: number): unknown {
  const { text, encoding, size } = Object(content);
  // Playwright records a size of -1 if it leaves bodies out.
  if (typeof text !== 'string') return status === 204 || size === 0 ? undefined : missing;
  return parseBody(encoding === 'base64' ? new TextDecoder().decode(Buffer.from(text, 'base64')) : text);
}

/** Parses a body as the client does for `observe`. */
function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Maximum length of a line, in characters. */
const longestLine = 64 * 1_048_576;

async function readLines(
  chunks: AsyncIterable<Buffer>,
  name: string,
  take: (recorded: Recorded | undefined) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  /** The parts of the current line. */
  let parts: string[] = [];
  let length = 0;
  let number = 0;
  const read = (line: string): void => {
    number += 1;
    if (line.trim() !== '') take(readLine(line, `${name}, line ${number}`));
  };
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    length += first.length;
    for (const other of others) {
      read(parts.join(''));
      parts = [other];
      length = other.length;
    }
    if (length > longestLine)
      throw new UsageError(`${name}, line ${number + 1} is longer than ${longestLine} characters.`);
  }
  read(parts.join(''));
}

function readLine(line: string, place: string): Recorded {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(`${place}: it is not JSON.`);
  }
  const { operationId, method, url, status, body } = Object(value);
  if (typeof status !== 'number' || (typeof operationId !== 'string' && typeof url !== 'string'))
    throw new UsageError(`${place}: it needs status, and operationId or method and url.`);
  return { operationId: asText(operationId), method: asText(method), url: asText(url), status, body };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

interface PathPattern {
  id: string;
  method: string;
  pattern: RegExp;
  isFixed: boolean;
}

/** Sorts paths without parameters first, because `/deals/attributes/7` also matches a path of a deal. */
const patterns: readonly PathPattern[] = learntProducts
  .flatMap(({ operations }) =>
    listOperations(operations).map(({ method, path, record }): PathPattern => {
      const { id, base = operations.base, text = [] } = record;
      const source = (base + path)
        .replace(/\/$/, '')
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace(/\{(\w+)\}/g, (_, name: string) => (text.includes(name) ? '[^/]+' : '\\d+'));
      return { id, method, pattern: new RegExp(`^${source}/?$`), isFixed: !path.includes('{') };
    }),
  )
  .sort((one, other) => Number(other.isFixed) - Number(one.isFixed));

function findOperation(method: string, path: string): string | undefined {
  return patterns.find((one) => one.method === method.toUpperCase() && one.pattern.test(path))?.id;
}
