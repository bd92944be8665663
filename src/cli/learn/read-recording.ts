import { isUtf8 } from 'node:buffer';
import { JSONParser } from '@streamparser/json';
import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { Recorder } from '../../shared/observed/recorder.ts';
import { listOperations } from '../../shared/operation.ts';
import { learntProducts } from './products.ts';

// `@streamparser/json` emits each entry while it parses. It has no dependencies, runs on Node 20, and has the MIT licence.

/** Why replies were not learnt, in the words of the report. */
export const reasons = {
  elsewhere: 'of other addresses',
  unknown: 'of unknown paths',
  unanswered: 'without a reply, or redirected',
  unrecorded: 'whose body was not recorded',
  cut: 'whose body was cut or damaged',
  encoded: 'whose body is still encoded',
  otherType: 'of another media type than JSON',
} as const;

/** A reason why a reply is not learnt. */
export type Reason = keyof typeof reasons;

/** Number of replies that were learnt, and of those that were left out, by reason. */
export interface Taken extends Record<Reason, number> {
  taken: number;
  /** Name of the program that recorded, as the recording states it. */
  recordedBy?: string | undefined;
}

/** A reply of a recording. */
interface Recorded {
  operationId?: string | undefined;
  method?: string | undefined;
  url?: string | undefined;
  status: number;
  /** Reads the body. Called only for replies of the service. */
  body(): Body;
}

/** A body, or why it says nothing about the service. */
type Body = { readonly value: unknown } | { readonly leftOut: Reason };

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
  const result = noneTaken();
  const take = (recorded: Recorded | undefined): void => takeReply(recorded, new URL(baseUrl), recorder, result);
  if (/\.har$/i.test(name)) result.recordedBy = await readHar(chunks, name, take);
  else if (/\.(?:ndjson|jsonl)$/i.test(name)) await readLines(chunks, name, take);
  else if (/\.zip$/i.test(name))
    throw new UsageError(`${name} is an archive. Unpack it, and name the .har file in it.`);
  else throw new UsageError(`${name} is neither a .har nor a .ndjson file. Rename it, or record traffic as HAR.`);
  return result;
}

/** The counts of a recording without replies. */
export function noneTaken(): Taken {
  return { taken: 0, elsewhere: 0, unknown: 0, unanswered: 0, unrecorded: 0, cut: 0, encoded: 0, otherType: 0 };
}

function takeReply(recorded: Recorded | undefined, base: URL, recorder: Recorder, result: Taken): void {
  const found = recorded ? learn(recorded, base, recorder) : 'unanswered';
  result[found] += 1;
}

function learn(
  { operationId, method = '', url, status, body }: Recorded,
  base: URL,
  recorder: Recorder,
): keyof Counted {
  // The address comes first, because nothing else matters about replies of others.
  let id = operationId;
  if (id === undefined || url !== undefined) {
    const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
    const prefix = base.pathname.replace(/\/?$/, '/');
    if (address?.origin !== base.origin || !address.pathname.startsWith(prefix)) return 'elsewhere';
    id ??= findOperation(method, address.pathname.slice(prefix.length - 1));
  }
  if (id === undefined || !recorder.isOperation(id)) return 'unknown';
  // Redirects and replies from a cache do not show the service's form.
  if (status < 200 || (status >= 300 && status < 400)) return 'unanswered';
  const read = body();
  if ('leftOut' in read) return read.leftOut;
  return recorder.record(id, status, read.value) ? 'taken' : 'unanswered';
}

type Counted = Omit<Taken, 'recordedBy'>;

async function readHar(
  chunks: AsyncIterable<Buffer>,
  name: string,
  take: (recorded: Recorded | undefined) => void,
): Promise<string | undefined> {
  // Only one entry is in memory at a time.
  const paths = ['$.log.entries.*', '$.log.creator'];
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 65_536 });
  let found = 0;
  let recordedBy: string | undefined;
  parser.onValue = ({ value, key }) => {
    if (key === 'creator') {
      recordedBy = asText(Object(value).name);
      return;
    }
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
  return recordedBy;
}

function readEntry(entry: unknown): Recorded | undefined {
  const { request, response } = Object(entry);
  if (!isRecord(request) || !isRecord(response) || typeof response.status !== 'number') return undefined;
  const method = asText(request.method);
  return {
    method,
    url: asText(request.url),
    status: response.status,
    body: () => readBody(response, method === 'HEAD' || [204, 205].includes(Number(response.status))),
  };
}

/**
 * Reads the body of a reply in HAR. It counts only if it is whole. Recorders leave bodies out as a missing or an empty text, and
 * cut long ones.
 */
function readBody(response: Readonly<Record<string, unknown>>, isEmptyByRule: boolean): Body {
  const { text, encoding, size, mimeType } = Object(response.content);
  const sizes = [asSize(size), asSize(response.bodySize), asSize(headerOf(response, 'content-length'))];
  if (isEmptyByRule && !text) return { value: undefined };
  // Playwright records a size of -1 if it leaves bodies out.
  const isEmpty = text === '' || (typeof text !== 'string' && asSize(size) === 0);
  if (isEmpty && !sizes.some((one) => one > 0)) return { value: undefined };
  if (typeof text !== 'string' || text === '') return { leftOut: 'unrecorded' };
  const bytes = decode(text, encoding);
  if (!bytes) return { leftOut: 'encoded' };
  if (asSize(size) > 0 && bytes.length !== asSize(size)) return { leftOut: 'cut' };
  const isPlain = headerOf(response, 'content-encoding') === undefined;
  const length = Number(headerOf(response, 'content-length') ?? Number.NaN);
  if (isPlain && length > 0 && bytes.length !== length) return { leftOut: 'cut' };
  return parseBody(bytes, typeof mimeType === 'string' ? mimeType : '');
}

/** Returns the bytes of a text, or `undefined` if they are not those that the service wrote. */
function decode(text: string, encoding: unknown): Buffer | undefined {
  const name = encoding ?? '';
  if (typeof name !== 'string') return undefined;
  if (name === '' || /^utf-?8$/i.test(name)) return Buffer.from(text);
  if (name.toLowerCase() !== 'base64' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((text.replace(/[\s=]/g, '').length * 3) / 4) && isUtf8(bytes) ? bytes : undefined;
}

/** A size as recorders write it: a number, or the text of a header. */
function asSize(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

/** Parses the text of a body. All documented replies are JSON. */
function parseBody(bytes: Buffer, mimeType: string): Body {
  const isJson = mimeType === '' || /^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.test(mimeType);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    // A page that is not JSON can be a number or a quoted text, but no object.
    return isJson || (typeof value === 'object' && value !== null) ? { value } : { leftOut: 'otherType' };
  } catch {
    return { leftOut: isJson ? 'cut' : 'otherType' };
  }
}

function headerOf({ headers }: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const found = (Array.isArray(headers) ? headers : []).find(
    (header) => isRecord(header) && asText(header.name)?.toLowerCase() === name,
  );
  return isRecord(found) ? asText(found.value) : undefined;
}

/** Maximum length of a line, in characters. */
const maxLineLength = 64 * 1_048_576;

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
    if (length > maxLineLength)
      throw new UsageError(`${name}, line ${number + 1} is longer than ${maxLineLength} characters.`);
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
  const recorded: Record<string, unknown> = Object(value);
  const { operationId, method, url, status } = recorded;
  if (typeof status !== 'number' || (typeof operationId !== 'string' && typeof url !== 'string'))
    throw new UsageError(`${place}: it needs status, and operationId or method and url.`);
  // Without `body`, the body is unknown, except for statuses that have no body.
  const isKnown = Object.hasOwn(recorded, 'body') || status === 204 || status === 205;
  const body = (): Body => (isKnown ? { value: recorded.body } : { leftOut: 'unrecorded' });
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
