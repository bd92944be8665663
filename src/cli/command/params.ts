import { UsageError } from '../../shared/command-line.ts';
import type { Params } from '../catalogue/check-params.ts';
import { type Field, fieldsOf, takesOtherFields } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { argumentFields, flagFields, readArgument, readFlag } from './flags.ts';
import type { Io } from './io.ts';
import { kebab } from './names.ts';

/** Sources of the parameters of a call. */
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
 * Reads the parameters of a call. Flags and arguments override the JSON document.
 *
 * @throws `UsageError` if a text does not fit, or the document is not a JSON object
 */
export async function readParams(method: Method, given: Given, io: Io): Promise<Params> {
  const params: Record<string, unknown> = given.input === undefined ? {} : await readDocument(given.input, io);
  for (const field of flagFields(method)) {
    const texts = given.flags[field.name];
    if (texts !== undefined) params[field.name] = await readField(method, field, texts, io);
  }
  const others = await readSet(given.set ?? [], io);
  if (others.length > 0 && takesOtherFields(method) === undefined)
    throw new UsageError(`${method.name} takes no other fields. Remove --set.`);
  for (const [name, text] of others) params[name] = parseOrText(text);
  for (const [index, field] of argumentFields(method).entries()) {
    const text = given.args[index];
    if (text !== undefined) params[field.name] = readArgument(method, field, text);
  }
  return params;
}

/** Reads the names and texts of `--set name=value`. */
export async function readSet(texts: readonly string[], io: Io): Promise<[name: string, text: string][]> {
  return Promise.all(
    texts.map(async (text): Promise<[string, string]> => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === '') throw new UsageError(`--set takes name=value, not '${text}'.`);
      return [name, asText('--set', value, await expandText('--set', value, false, io))];
    }),
  );
}

/**
 * Reads the value of a field. In a text and in the value of `name=value`, `@path` is the content of a file, and `@@` is an
 * `@`.
 *
 * @throws `UsageError` if a file does not exist, or if the value is the path of a file instead of its content
 */
export async function readField(method: Method, field: Field, texts: readonly string[], io: Io): Promise<unknown> {
  const { encoding, name, schema } = field;
  const flag = `--${kebab(name)}`;
  // Without the sign, the email would contain the path.
  const sendsContent = fieldsOf(method).some(({ encoding }) => encoding !== undefined);
  const expand = (text: string): Promise<string | Uint8Array> => expandText(flag, text, sendsContent, io);
  if (encoding === 'base64' || encoding === 'base64Text') return expand(texts.at(-1) ?? '');
  const isMap = [schema.type ?? []].flat().includes('object');
  const parts = texts.map((text) => {
    const [, key, value] = (isMap && /^([^={[]+)=(.*)$/s.exec(text)) || [];
    return { key, value: value ?? text };
  });
  if (encoding === 'base64Map') {
    const files = parts.map(async ({ key, value }) =>
      // A text without a name is a JSON object.
      key === undefined ? Object(readFlag(method, field, [value])) : { [key]: await expand(value) },
    );
    return Object.assign({}, ...(await Promise.all(files)));
  }
  const written = parts.map(async ({ key, value }) => {
    const content = asText(flag, value, await expand(value), isMap ? filesFlag(method) : undefined);
    return key === undefined ? content : `${key}=${content}`;
  });
  return readFlag(method, field, await Promise.all(written));
}

/** Returns the flag for files that are not text. */
function filesFlag(method: Method): string | undefined {
  const field = fieldsOf(method).find(({ encoding }) => encoding === 'base64Map');
  return field && `--${kebab(field.name)}`;
}

/** @param sendsContent - whether to refuse a path without the sign */
async function expandText(flag: string, text: string, sendsContent: boolean, io: Io): Promise<string | Uint8Array> {
  if (text.startsWith('@@')) return text.slice(1);
  if (text.startsWith('@')) {
    const path = text.slice(1);
    return io.readFile(path).catch((cause: unknown) => {
      throw new UsageError(
        `${flag}: there is no file ${path} that can be read. To send the text itself, write @${text}.`,
        { cause },
      );
    });
  }
  if (sendsContent && /^[^\n]{1,250}$/.test(text)) {
    const isFile = await io.readFile(text).then(
      () => true,
      () => false,
    );
    if (isFile)
      throw new UsageError(
        `${flag}: ${text} is a file. To send its content, write @${text}; to send the name, use --input.`,
      );
  }
  return text;
}

/**
 * @param source - the file, or the flag or text that names it
 * @param other - the flag for files that are not text
 */
export function asText(flag: string, source: string, content: string | Uint8Array, other?: string): string {
  if (typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    const hint = other === undefined ? '' : ` For other files, use ${other}.`;
    throw new UsageError(`${flag}: ${source.replace(/^@/, '')} is not a text in UTF-8.${hint}`, { cause });
  }
}

async function readFile(path: string, name: string, io: Io): Promise<Uint8Array> {
  try {
    return await io.readFile(path);
  } catch (cause) {
    throw new UsageError(`--${kebab(name)}: ${path} cannot be read.`, { cause });
  }
}

async function readDocument(input: string, io: Io): Promise<Record<string, unknown>> {
  const text = input === '-' ? await io.readInput() : asText('--input', input, await readFile(input, 'input', io));
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

/** Parses JSON, or returns the text itself. */
export function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
