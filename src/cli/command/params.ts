import { UsageError } from '../../shared/command-line.ts';
import type { Params } from '../catalogue/check-params.ts';
import { type Field, takesOtherFields } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { argumentFields, flagFields, readArgument, readFlag } from './flags.ts';
import type { Io } from './io.ts';
import { kebab } from './names.ts';

/** Where the parameters of a call come from. */
export interface Given {
  /** Arguments, in order. */
  args: readonly string[];
  /** Texts of each flag that was used, by the name of the field. */
  flags: Readonly<Record<string, readonly string[]>>;
  /** JSON document: a path, or `-` for standard input. */
  input?: string | undefined;
  /** `name=value` of fields that the spec does not name. */
  set?: readonly string[] | undefined;
}

/**
 * The parameters of a call: those of the JSON document first; flags and arguments win.
 *
 * @throws `UsageError` if a text does not fit, or the document is not a JSON object
 */
export async function readParams(method: Method, given: Given, io: Io): Promise<Params> {
  const params: Record<string, unknown> = given.input === undefined ? {} : await readDocument(given.input, io);
  for (const field of flagFields(method)) {
    const texts = given.flags[field.name];
    if (texts !== undefined) params[field.name] = await readField(method, field, texts, io);
  }
  for (const text of given.set ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--set takes name=value, not '${text}'.`);
    if (takesOtherFields(method) === undefined)
      throw new UsageError(`${method.name} takes no other fields: remove --set.`);
    params[name] = parseOrText(value);
  }
  for (const [index, field] of argumentFields(method).entries()) {
    const text = given.args[index];
    if (text !== undefined) params[field.name] = readArgument(method, field, text);
  }
  return params;
}

/** `@path` is the content of a file, for fields whose text cannot begin with `@`: encoded ones, and JSON. */
async function readField(method: Method, field: Field, texts: readonly string[], io: Io): Promise<unknown> {
  const { encoding, schema, name } = field;
  if (encoding === 'base64' || encoding === 'base64Text') {
    const text = texts.at(-1) ?? '';
    return text.startsWith('@') ? readFile(text.slice(1), name, io) : text;
  }
  if (encoding === 'base64Map') {
    const files = texts.map(async (text): Promise<[string, unknown]> => {
      const [, file = '', path] = /^([^=]+)=@(.*)$/s.exec(text) ?? [];
      if (path === undefined) return Object.entries(Object(readFlag(method, field, [text])))[0] ?? ['', ''];
      return [file, await readFile(path, name, io)];
    });
    return Object.fromEntries(await Promise.all(files));
  }
  const isStructured = [schema.type ?? []].flat().some((type) => type === 'array' || type === 'object');
  const expanded = texts.map(async (text) =>
    isStructured && text.startsWith('@') ? decode(await readFile(text.slice(1), name, io)) : text,
  );
  return readFlag(method, field, await Promise.all(expanded));
}

async function readFile(path: string, name: string, io: Io): Promise<Uint8Array> {
  try {
    return await io.readFile(path);
  } catch (cause) {
    throw new UsageError(`--${kebab(name)}: ${path} cannot be read.`, { cause });
  }
}

async function readDocument(input: string, io: Io): Promise<Record<string, unknown>> {
  const text = input === '-' ? await io.readInput() : decode(await readFile(input, 'input', io));
  const source = input === '-' ? 'standard input' : input;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`--input: ${source} is not JSON.`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new UsageError(`--input: ${source} has to be a JSON object with the fields of the method.`);
  }
  return { ...parsed };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
