import type { Json } from '../../shared/reference.ts';
import { fieldsOf, takesOtherFields } from '../catalogue/fields.ts';
import { type Method, type Product, rulesOf } from '../catalogue/methods.ts';
import { reasonToAsk, whenAsked } from '../catalogue/needs-consent.ts';
import { effectTexts, quotaText } from '../catalogue/type-text.ts';
import { takesRows } from './each/flags.ts';
import { columnNames } from './each/method-columns.ts';
import { argumentFields, flagFields, returnsCredential } from './flags.ts';
import { commandLine, kebab } from './names.ts';

const askTexts = {
  always: '; needs confirmation or --yes',
  sometimes: '; may need confirmation or --yes',
  never: '',
} as const;

/** Returns the help before the options: description and effect of the method. */
export function helpBefore(method: Method): string {
  const lines = [
    `${method.summary}. ${method.deprecated ? 'Deprecated. ' : ''}Effect: ${method.effect} (${effectTexts[method.effect]}${askTexts[whenAsked(method)]}).`,
    paragraphs(method.description),
    returnsCredential(method) && 'The response contains a token, which is hidden unless you pass --show-secret.',
  ];
  return lines.filter(Boolean).join('\n\n');
}

/** Returns the help after the options: rules, quota, failures and an example. */
export function helpAfter(method: Method): string {
  const { rules, quota, statuses = {}, errors = {}, paging } = method;
  const failures = [
    ...Object.entries(statuses).map(([status, text]) => `status ${status}: ${text}`),
    ...Object.entries(errors).map(([code, { meaning, advice }]) => `code ${code}: ${meaning} ${advice}`),
  ];
  const parts = [
    section(
      'Rules',
      [...rules, ...rulesOf(method.product)].map(({ text }) => text),
    ),
    quota && `Quota: ${quotaText(quota)}.`,
    section('Failures', failures),
    fieldsOf(method).some(({ encoding }) => encoding !== undefined) &&
      'The value @<path> stands for the content of that file. A value that begins with @= is the literal string after @=.',
    paging?.maximum && `Pages have at most ${paging.maximum} items. --all reads all pages.`,
    `Request: ${method.method} ${method.path}\nClient method: api.${method.name}()`,
    `Example:\n  ${exampleLine(method)}`,
    takesRows(method) && eachText(method),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Explains `--each`. */
function eachText(method: Method): string {
  const columns = columnNames(method).join(', ');
  const lines = [
    `Columns for --each: ${columns || 'none'}. A key column identifies a row. Separate list items with semicolons, or write the list as JSON. A cell never stands for the content of a file. If an option is also a column, the option applies to rows whose cell is empty.`,
    `Example:\n  ${commandLine(method.words)} --each rows.csv`,
  ];
  return lines.join('\n');
}

/** Returns the rules that apply to every method of a product. */
export function rulesText(product: Product): string {
  return section(
    'Rules that apply to every method',
    rulesOf(product).map(({ text }) => text),
  );
}

/** Returns the example in the spec as a command line. */
export function exampleLine(method: Method): string {
  const { example, words } = method;
  const inPath = argumentFields(method);
  const args = inPath.map(({ name }) => quote(plain(example[name])));
  const named = flagFields(method);
  const flags = Object.entries(example).flatMap(([name, value]): string[] => {
    if (inPath.some((field) => field.name === name)) return [];
    const flag = `--${kebab(name)}`;
    const field = named.find((field) => field.name === name);
    // Secrets, and fields that the spec does not name, have no flag.
    if (!field)
      return fieldsOf(method).some((field) => field.name === name) ? [] : [`--set ${quote(`${name}=${plain(value)}`)}`];
    if (field.encoding === 'base64Map')
      return entriesOf(value).map(([file, text]) => `${flag} ${quote(`${file}=${plain(text)}`)}`);
    if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
      return [`${flag} ${quote(JSON.stringify(value))}`];
    if (Array.isArray(value)) return value.map((item) => `${flag} ${quote(plain(item))}`);
    return [value === true ? flag : `${flag} ${quote(plain(value))}`];
  });
  const secret = fieldsOf(method).some(
    ({ name, in: place }) => place === 'body' && !named.some((field) => field.name === name),
  );
  const input = secret ? ['--input -'] : [];
  const yes = reasonToAsk(method, [example]) === undefined ? [] : ['--yes'];
  const other = takesOtherFields(method) === 'open' && flags.length === 0 ? ['--limit 20'] : [];
  return [commandLine(words), ...args, ...flags, ...other, ...input, ...yes].join(' ');
}

/** Joins lines, because help wraps them again. Tables and lists keep their line breaks. */
function paragraphs(text: string): string {
  return text.replace(/(?<!\n)\n(?![\n|-])/g, ' ');
}

function entriesOf(value: Json): [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function plain(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Quotes a string for a shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${heading}:\n${lines.map((line) => `  - ${line}`).join('\n')}`;
}
