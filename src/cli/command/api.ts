import type { Client, Middleware } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { closest } from '../../shared/did-you-mean.ts';
import { isRecord } from '../../shared/is-record.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { Params } from '../catalogue/check-names.ts';
import type { Connection } from '../catalogue/connect.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { type Method, methods } from '../catalogue/methods.ts';
import type { Question } from '../catalogue/question.ts';
import { runCalls } from '../catalogue/run-calls.ts';
import { hideSecretsInJson } from '../catalogue/secret-fields.ts';
import { replaceControls, replaceInvisible } from '../text/invisible.ts';
import { parseOrString } from '../text/parse-json.ts';
import { type ConnectionFlags, connectByFlags, quietly } from './connection.ts';
import { confirm, consent, requireTerminal } from './consent.ts';
import { placeholderUrl } from './dry-run.ts';
import { CommandError, codeOfStatus, exitCodes } from './exit-codes.ts';
import { returnsCredential } from './flags.ts';
import type { Io } from './io.ts';
import { commandLine } from './names.ts';
import { readJson, readSet } from './params.ts';

/** Options of `carillon api`. */
export interface ApiFlags extends ConnectionFlags {
  set?: string[];
  input?: string;
  yes?: boolean;
  profile?: string;
}

/** A request in wire format. */
interface WireRequest {
  verb: string;
  /** Path with the base path, and without a query. */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
}

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends a request to a path, and writes the response body unchanged, except that credentials are hidden. */
export async function callApi(verb: string, address: string, flags: ApiFlags, io: Io): Promise<void> {
  const request = await readRequest(verb.toUpperCase(), address, flags, quietly(io, flags));
  const method = methods.find((one) => one.method === request.verb && pathValues(one, request.path));
  if (method && returnsCredential(method))
    throw new UsageError(`The response contains a credential. Use ${commandLine(method.words)}.`);
  const text = method ? await callKnown(method, request, flags, io) : await callUnknown(request, flags, io);
  if (!text) return;
  const shown = hideSecretsInJson(text);
  // Control characters in the text affect only a terminal, and only a terminal needs the final line break.
  await io.write(io.isTerminal.output ? `${replaceControls(shown, '\t\r\n').replace(/\n?$/, '')}\n` : shown);
}

/** Hides the credentials of the call, because a service may repeat them in any field. */
async function hideOwn(text: string, { clientOptions }: Connection, token = ''): Promise<string> {
  const { Mask } = await import('../catalogue/mask.ts');
  const mask = new Mask();
  mask.addCredentials(clientOptions);
  mask.add(token);
  return mask.apply(text);
}

/** Returns the parameters of a documented request. */
function paramsOf(method: Method, { path, query, body }: WireRequest): Params {
  const inPlace = { ...pathValues(method, path), ...query };
  const inside = method.wrap !== undefined && isRecord(body) ? body[method.wrap] : body;
  return { ...inPlace, ...(isRecord(inside) ? inside : {}) };
}

async function readRequest(
  verb: string,
  address: string,
  { set = [], input }: ApiFlags,
  reader: Io,
): Promise<WireRequest> {
  if (!verbs.includes(verb)) throw new UsageError(`The method must be one of ${verbs.join(', ')}, not '${verb}'.`);
  const [path = '', search = ''] = address.split('?', 2);
  // A path with dot segments would lead to another path.
  if (
    !path.startsWith('/') ||
    path.startsWith('//') ||
    new URL(path, placeholderUrl).pathname !== path ||
    !isEncoded(path)
  )
    throw new UsageError(
      `The path must begin with a slash, with special characters percent-encoded, as in /crm/v1/users, not '${path}'.`,
    );
  const repeated = [...new URLSearchParams(search).keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (repeated !== undefined) throw new UsageError(`The query contains ${repeated} twice. Pass it once.`);
  const fields = await readSet(set, reader);
  const isQuery = verb === 'GET';
  if (isQuery && input !== undefined) throw new UsageError('A GET request has no body. Use --set instead of --input.');
  const document = input === undefined ? undefined : await readJson(input, reader);
  const own = Object.fromEntries(
    fields.map(([name, { text, isLiteral }]) => [name, isLiteral ? text : parseOrString(text)]),
  );
  if (fields.length > 0 && document !== undefined && !isRecord(document))
    throw new UsageError('If --set is used, the JSON in --input must be an object.');
  const hasBody = !isQuery && (document !== undefined || fields.length > 0);
  return {
    verb,
    path,
    query: {
      ...Object.fromEntries(new URLSearchParams(search)),
      ...(isQuery && Object.fromEntries(fields.map(([name, { text }]) => [name, text]))),
    },
    body: hasBody ? (isRecord(document) || document === undefined ? { ...document, ...own } : document) : undefined,
  };
}

/** Whether each `%` in a path begins an encoded character. */
function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns the parameter values in a path, or `undefined` if the path does not belong to the method. */
function pathValues(method: Method, path: string): Record<string, unknown> | undefined {
  const names = [...method.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = method.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(path);
  if (!found) return undefined;
  return Object.fromEntries(
    names.map((name, at) => {
      const text = decodeURIComponent(found[at + 1] ?? '');
      const isNumber = method.inPath[name]?.type === 'integer' && /^\d{1,15}$/.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}

/** Sends a documented request through the client, with the client's checks, retries and errors. */
function callKnown(method: Method, request: WireRequest, flags: ApiFlags, io: Io): Promise<string | undefined> {
  const { body } = request;
  const inside = method.wrap !== undefined && isRecord(body) ? body[method.wrap] : body;
  // People in a body that does not have the documented form cannot be counted.
  const isCounted = body === undefined || (isRecord(inside) && hasOnlyNamed(method, inside));
  let text: string | undefined;
  const recorder: Middleware = {
    onResponse(_, { body }) {
      text = body;
    },
  };
  return runCalls<Connection, string | undefined>(method, [paramsOf(method, request)], {
    unchecked: 'all',
    signal: io.signal,
    endInvalid(problems) {
      throw new UsageError(problems.join('\n'));
    },
    connect: () => connectByFlags({ ...flags, recorder }, io),
    async consent(connection, found, readQuestion) {
      const reason = found ?? (isCounted ? undefined : 'affects an unknown number of people or records');
      const read = (why: string): Promise<Question> => readQuestion(connection.client, why);
      await consent(method, connection, flags.yes ? undefined : reason, read, flags, io);
    },
    async send(connection) {
      await sendKnown(method, request, connection.client, io);
      return text && hideOwn(text, connection);
    },
  });
}

/** Whether a body names people only in documented fields. A method without people affects one record, regardless of the body. */
function hasOnlyNamed(method: Method, body: Readonly<Record<string, unknown>>): boolean {
  const known = fieldsOf(method).map(({ name }) => name);
  return method.people === undefined || Object.keys(body).every((name) => known.includes(name));
}

/** Sends a request whose effect is not documented. A GET request needs no consent. */
async function callUnknown(request: WireRequest, flags: ApiFlags, io: Io): Promise<string> {
  const connection = await connectByFlags(flags, io);
  const { verb, path } = request;
  if (verb !== 'GET') {
    if (!connection.isSandbox) requireTerminal(io);
    const what = `${verb} ${path} is not documented, and its effect is unknown`;
    if (!flags.yes) await confirm(what, io, async () => `${replaceInvisible(what)}. At ${connection.baseUrl}\n`);
  }
  const token = await readToken(connection, io.signal);
  return hideOwn(await sendUnknown(request, connection, token, flags, io), connection, token);
}

async function sendKnown(method: Method, { path, query, body }: WireRequest, client: Client, io: Io): Promise<void> {
  const send: unknown = Reflect.get(client[method.product], method.method);
  if (typeof send !== 'function') throw new Error(`The client has no ${method.method}`);
  const params = { path: pathValues(method, path), query };
  const result: unknown = await send(method.template, {
    params,
    ...(body !== undefined && { body }),
    signal: io.signal,
  });
  if (isRecord(result) && result.error !== undefined) throw result.error;
}

/** Sends an undocumented request once, with the credential of the client. The client itself sends only documented requests. */
async function sendUnknown(
  { verb, path, query, body }: WireRequest,
  { baseUrl, clientOptions }: Connection,
  token: string,
  { timeout = '60', debug, debugBodies }: ApiFlags,
  io: Io,
): Promise<string> {
  const search = new URLSearchParams(query).toString();
  const url = `${baseUrl.replace(/\/$/, '')}${path}${search === '' ? '' : `?${search}`}`;
  const init = {
    method: verb,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect would send the credential to another host.
    redirect: 'manual' as const,
    signal: AbortSignal.any([io.signal, AbortSignal.timeout(Number(timeout) * 1_000)]),
  };
  if (debug || debugBodies) io.note(`> ${verb} ${url} (not documented)\n`);
  const fail = (error: unknown): never => {
    io.signal.throwIfAborted();
    const text = `${verb} ${path} received no response: ${reasonOf(error)}. The request may have been processed.`;
    throw new CommandError(exitCodes.connection, text, { cause: error });
  };
  const response = await (clientOptions.fetch ?? fetch)(url, init).catch(fail);
  if (debug || debugBodies) io.note(`< ${response.status}\n`);
  const text = await response.text().catch(fail);
  if (!response.ok) {
    const paths = [...new Set(methods.map((method) => method.path))];
    // Users easily forget the base path.
    const meant = paths.find((known) => known.endsWith(path)) ?? closest(path, paths);
    const hint =
      meant === undefined ? 'The path is not documented.' : `The path is not documented. Did you mean ${meant}?`;
    const text = `${verb} ${path} failed with HTTP status ${response.status}. ${hint}`;
    throw new CommandError(codeOfStatus(response.status), text);
  }
  return text;
}

/** Returns the system's error code, which `fetch` puts into the cause of its errors, or else the message. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const code = isRecord(cause) || cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  if (typeof code === 'string') return code;
  return messageOf(error);
}

/** Returns the API key, or gets an access token. */
async function readToken({ client, clientOptions: { auth } }: Connection, signal: AbortSignal): Promise<string> {
  if ('apiKey' in auth) return auth.apiKey;
  const { clientId: client_id, clientSecret: client_secret } = auth;
  const request = { grant_type: 'client_credentials' as const, client_id, client_secret };
  return (await client.crm.oauth.createToken(request, { signal })).access_token;
}
