import { type CarillonError, type Client, isCarillonError } from 'carillon';
import { isRecord } from '../../shared/is-record.ts';
import type { PeopleGroup } from '../../shared/reference.ts';
import { callMethod } from './call-method.ts';
import type { Params } from './check-names.ts';
import { documentedCode, type Method, methods } from './methods.ts';
import { hideSecretFields } from './secret-fields.ts';
import { shortenJson } from './shorten-json.ts';

/** Maximum number of milliseconds for which reading facts can delay a question. */
const milliseconds = 5_000;
const maxFields = 5;

/** A fact that a person should know before a call: a name, and a value as JSON. */
export interface Fact {
  readonly name: string;
  readonly json: string;
  /** Why the service rejected the call in its test mode. */
  readonly rejection?: CarillonError;
}

/** Makes a call that changes no data. */
type Read = (method: Method, params: Params) => Promise<unknown>;

/**
 * Reads facts about a call for the person who decides whether to make the call: the record that the path identifies, the
 * result of the service's test mode, or the number of people in each group that the call names. Changes no data. If a read
 * fails, the failure is returned as a fact.
 */
export async function readBefore(client: Client, method: Method, params: Params, signal: AbortSignal): Promise<Fact[]> {
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]) };
  const read: Read = (reader, given) => callMethod(client, reader.name, given, options);
  try {
    const groups = await groupFacts(read, method, params);
    if (method.testMode !== undefined) return [...groups, await rehearsalFact(read, method, method.testMode, params)];
    if (groups.length > 0) return groups;
    // A new record does not exist yet, but the records that a relation joins exist.
    const facts = method.method === 'POST' ? [] : await recordFacts(read, method, params);
    return facts.length > 0 ? facts : await relationFacts(read, method, params);
  } catch (error) {
    signal.throwIfAborted();
    return [{ name: 'could not be read', json: JSON.stringify(reasonOf(method, error)) }];
  }
}

async function rehearsalFact(read: Read, method: Method, testMode: string, params: Params): Promise<Fact> {
  const name = 'a rehearsal by the service';
  try {
    await read(method, { ...params, [testMode]: true });
    return { name, json: '"accepted"' };
  } catch (error) {
    if (!isCarillonError(error, 'ApiError') || error.status >= 500) throw error;
    return { name, json: JSON.stringify(`rejected with ${reasonOf(method, error)}`), rejection: error };
  }
}

/** The number of people in each group that a call names. */
async function groupFacts(read: Read, { people }: Method, params: Params): Promise<Fact[]> {
  const given = (people?.groups ?? []).filter(({ field }) => !isEmpty(params[field]));
  return await Promise.all(given.map((group) => groupFact(read, group, params[group.field])));
}

async function groupFact(read: Read, { who, count }: PeopleGroup, value: unknown): Promise<Fact> {
  if (!count) return { name: who, json: '"unknown: the service does not report the number"' };
  const counting = methods.find(({ id }) => id === count.operation);
  if (!counting) throw new Error(`There is no operation ${count.operation}`);
  const response = await read(counting, { [count.parameter]: value });
  return { name: who, json: shortenJson(isRecord(response) ? response[count.result] : response, 20).json };
}

/** Reads the record that a path identifies: directly, from the list at the parent path, or from the parent record. */
async function recordFacts(read: Read, { path }: Method, params: Params): Promise<Fact[]> {
  const [, above = '', id] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  if (id === undefined) return [];
  const title = methods.find((other) => other.path === path && other.title)?.title;
  const own = readerOf(path);
  if (own) return factsOf(await read(own, paramsOf(own, params)), title);
  const isMeant = (item: unknown): boolean =>
    isRecord(item) && [item.id, item[id]].some((value) => value !== undefined && String(value) === String(params[id]));
  const list = readerOf(above);
  if (list) {
    const found = itemsOf(await read(list, { ...paramsOf(list, params), ...wholePage(list) })).find(isMeant);
    // The record may be on a later page.
    return found === undefined && list.paging ? [] : factsOf(found, title ?? list.title);
  }
  const [, owner = '', name = ''] = /^(.*)\/(\w+)$/.exec(above) ?? [];
  const ownerReader = readerOf(owner);
  if (!ownerReader) return [];
  const record = await read(ownerReader, paramsOf(ownerReader, params));
  const items = isRecord(record) ? record[name] : undefined;
  const found = Array.isArray(items) ? factsOf(items.find(isMeant), title) : [];
  return [...found, ...titleFact('of', record, ownerReader.title)];
}

/** The titles of the records that a relation joins, such as a contact and a tag. */
async function relationFacts(read: Read, { inPath }: Method, params: Params): Promise<Fact[]> {
  const names = Object.keys(inPath);
  if (names.length < 2) return [];
  const facts = names.map(async (name): Promise<Fact[]> => {
    const word = name.replace(/Id$/, '');
    const known = methods.filter((method) => method.method === 'GET' && method.title);
    const reader = known.find(({ path }) => path.endsWith(`/{${name}}`));
    if (reader) return titleFact(word, await read(reader, { [name]: params[name] }), reader.title);
    const list = known.find(({ path, inPath: above }) => path.endsWith(`${word}s`) && Object.keys(above).length === 0);
    if (!list) return [];
    const found = itemsOf(await read(list, wholePage(list))).find(
      (item) => isRecord(item) && String(item.id) === String(params[name]),
    );
    return titleFact(word, found, list.title);
  });
  return (await Promise.all(facts)).flat();
}

/** Returns the method that reads the resource at a path. */
function readerOf(path: string): Method | undefined {
  return methods.find((method) => method.method === 'GET' && method.path === path && method.returns !== 'nothing');
}

function paramsOf({ inPath }: Method, params: Params): Params {
  return Object.fromEntries(Object.keys(inPath).map((name) => [name, params[name]]));
}

function wholePage({ paging }: Method): Params {
  return paging?.maximum === undefined ? {} : { [paging.limit]: paging.maximum };
}

function itemsOf(response: unknown): readonly unknown[] {
  if (Array.isArray(response)) return response;
  return isRecord(response) && Array.isArray(response.data) ? response.data : [];
}

/** Returns the title of a record and a few of its fields. */
function factsOf(found: unknown, title: readonly string[] = []): Fact[] {
  const record = hideSecretFields(found);
  if (!isRecord(record)) return [{ name: 'not found', json: 'null' }];
  const others = Object.entries(record).filter(
    ([name, value]) => name !== 'id' && !title.includes(name) && !isEmpty(value),
  );
  return [
    ...titleFact('record', record, title),
    ...others.slice(0, maxFields).map(([name, value]) => ({ name, json: shortenJson(value, 120).json })),
  ];
}

function titleFact(name: string, record: unknown, title: readonly string[] = []): Fact[] {
  const words = title.map((field) => (isRecord(record) ? record[field] : undefined)).filter((word) => !isEmpty(word));
  return words.length > 0 ? [{ name, json: shortenJson(words.join(' '), 200).json }] : [];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Describes a failure without the service's own message, because no frame marks that message as data here. */
function reasonOf(method: Method, error: unknown): string {
  if (!isCarillonError(error, 'ApiError')) return error instanceof Error ? error.name : 'an unknown failure';
  const known = documentedCode(method, error);
  return `status ${error.status}${known === undefined ? '' : `, code ${error.code}: ${known.meaning}`}`;
}
