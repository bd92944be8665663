import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { Params } from '../catalogue/check-names.ts';
import { type Field, fieldsOf, takesOtherFields } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { parseOrString } from '../text/parse-json.ts';
import { asText, expand, type Written } from './expand.ts';
import { argumentFields, flagFields, isList, isObject, type Part, readArgument, readFlag } from './flags.ts';
import type { Io } from './io.ts';
import { kebab } from './names.ts';

/** Sources of a call's parameters. */
export interface GivenParams {
  /** Strings of the arguments, in order. An argument can also be given as a flag. */
  args: readonly (string | undefined)[];
  /** Strings given for each flag, by field name. */
  flags: Readonly<Record<string, readonly string[]>>;
  /** JSON document: a path, or `-` for standard input. */
  input?: string | undefined;
  /** `name=value` strings for fields that the spec does not name. */
  set?: readonly string[] | undefined;
}

/**
 * Reads the parameters of a call. Flags and arguments override the JSON document.
 *
 * @throws `UsageError` if a string does not fit its type, or the document is not a JSON object
 */
export async function readParams(method: Method, given: GivenParams, reader: Io): Promise<Params> {
  const params: Record<string, unknown> = given.input === undefined ? {} : await readDocument(given.input, reader);
  for (const field of [...argumentFields(method), ...flagFields(method)]) {
    const strings = given.flags[field.name];
    if (strings !== undefined) params[field.name] = await readField(method, field, strings, reader);
  }
  const others = await readSet(given.set ?? [], reader);
  if (others.length > 0 && takesOtherFields(method) === undefined)
    throw new UsageError(`${method.name} takes only documented fields. Remove --set.`);
  for (const [name, { text, isLiteral }] of others) params[name] = isLiteral ? text : parseOrString(text);
  for (const [index, field] of argumentFields(method).entries()) {
    const text = given.args[index];
    if (text !== undefined) params[field.name] = readArgument(method, field, text);
  }
  return params;
}

/** Reads the names and strings of `--set name=value`. */
export async function readSet(strings: readonly string[], reader: Io): Promise<[name: string, Written][]> {
  const read: [string, Written][] = [];
  for (const text of strings) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--set takes name=value, not '${text}'.`);
    // JavaScript uses a property of this name as the prototype, so the value would be lost.
    if (name === '__proto__') throw new UsageError(`--set: no field can have the name ${name}.`);
    const found = await expand('--set', value, false, reader);
    read.push([name, 'bytes' in found ? { text: asText('--set', found), isLiteral: false } : found]);
  }
  return read;
}

/**
 * Reads the value of a field from its flags.
 *
 * @throws `UsageError` if a file does not exist, or if the value is a path instead of a file's content
 */
async function readField(method: Method, field: Field, strings: readonly string[], reader: Io): Promise<unknown> {
  const { encoding, name } = field;
  const flag = `--${kebab(name)}`;
  // Without the leading `@`, the email would contain the path instead of the content.
  const sendsContent = fieldsOf(method).some(({ encoding }) => encoding !== undefined);
  if (encoding === 'base64' || encoding === 'base64Text') {
    const content = await expand(flag, strings.at(-1) ?? '', sendsContent, reader);
    return 'bytes' in content ? content.bytes : content.text;
  }
  const isMap = isObject(field);
  // The content of a file is the string or number itself. Lists and objects in a file are JSON.
  const isStructured = isMap || isList(field);
  const parts: Part[] = [];
  for (const text of strings) {
    const [, key, value = text] = (isMap && !text.startsWith('@=') && /^([^={[]+)=(.*)$/s.exec(text)) || [];
    const content = await expand(flag, value, sendsContent, reader);
    if ('bytes' in content && encoding === 'base64Map' && key !== undefined) parts.push({ key, bytes: content.bytes });
    else if (!('bytes' in content)) parts.push({ key, ...content });
    else
      parts.push({
        key,
        text: asText(flag, content, isMap ? filesFlag(method) : undefined),
        isLiteral: !isStructured || key !== undefined,
      });
  }
  return readFlag(method, field, parts);
}

/** Returns the flag for files that are not text. */
function filesFlag(method: Method): string | undefined {
  const field = fieldsOf(method).find(({ encoding }) => encoding === 'base64Map');
  return field && `--${kebab(field.name)}`;
}

async function readDocument(input: string, reader: Io): Promise<Record<string, unknown>> {
  const parsed = await readJson(input, reader);
  if (!isRecord(parsed))
    throw new UsageError(`--input: ${nameOf(input)} must be a JSON object with the fields of the method.`);
  return { ...parsed };
}

/** Reads the JSON of `--input`. */
export async function readJson(input: string, reader: Io): Promise<unknown> {
  const text = await readInput(input, reader);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`--input: ${nameOf(input)} is not JSON.`, { cause });
  }
}

async function readInput(input: string, reader: Io): Promise<string> {
  if (input === '-') return reader.readInput();
  const bytes = await reader.readFile(input).catch((cause: unknown) => {
    throw new UsageError(`--input: ${cause instanceof UsageError ? cause.message : `${input} cannot be read.`}`, {
      cause,
    });
  });
  return asText('--input', { bytes, path: input });
}

function nameOf(input: string): string {
  return input === '-' ? 'standard input' : input;
}
