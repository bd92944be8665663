import type { People } from '../../../src/shared/reference.ts';
import { type Extensions, extensions, type GapKind, gapKinds, readExtensions } from '../../spec/extensions.ts';
import type { GapText } from '../../spec/gap-texts.ts';
import { describeSource } from '../../spec/source.ts';

/** Labels of the kinds of gaps. */
export const gapLabels = {
  'x-open': 'Not documented',
  'x-inferred': 'Inferred',
  'x-conflict': 'In conflict',
} as const satisfies Record<GapKind, string>;

/** Extensions that other readers of a spec know, or that have no words of their own. */
const kept = new Set([
  ...['x-enumDescriptions', 'x-record', 'x-at-least-one', 'x-inferred-limits', 'x-decoded', 'x-tagGroups'],
]);

/** Extensions to remove, because the description contains them or only generators need them. */
export const foldedExtensions = Object.keys(extensions).filter((name) => !kept.has(name));

/**
 * The extensions of an object of a spec as Markdown blocks, for a page that works without the site. The source comes
 * last, after the blocks that the caller adds. The source of a rule is on the page of rules.
 */
export function describeExtensions(node: object, path: string[], added: readonly string[] = []): string[] {
  const found = readExtensions(node, path);
  const {
    'x-source': source,
    'x-rules': rules = [],
    'x-errors': errors = {},
    'x-rate-limit': limit,
    'x-pagination': paging,
    'x-effect': effect,
    'x-undo': undo,
    'x-people': people,
  } = found;
  const { kind, sendsIf, testMode } = effect ?? {};
  return [
    list(
      'Rules',
      rules.map(({ id, text }) => `${text.trim()} (\`${id}\`)`),
    ),
    list(
      'Error codes',
      Object.entries(errors).map(([code, { meaning }]) => `code ${code}: ${meaning.trim()}`),
    ),
    limit ? `**Quota.** ${limit.requests} requests in ${duration(limit.seconds)} for each ${limit.per}.` : '',
    kind === 'send'
      ? `**Reaches people or costs money${onlyIf(sendsIf)}.** The commands ask before they send this request.`
      : '',
    people ? peopleText(people) : '',
    testMode ? testModeText(testMode) : '',
    undo ? undoText(undo) : '',
    // Readers expect it of a GET.
    kind === 'read' && path.at(-1) === 'post'
      ? '**Reads only.** The client can repeat this request after a failure.'
      : '',
    paging ? pages(paging) : '',
    ...gapKinds.map((kind) => quote(gapLabels[kind], found[kind])),
    ...added,
    source ? `Source: ${describeSource(source)}.` : '',
  ].filter((block) => block !== '');
}

/** ` with \`state\` 1` */
function onlyIf(sendsIf: Readonly<Record<string, string | number>> = {}): string {
  const values = Object.entries(sendsIf).map(([name, value]) => `\`${name}\` ${value}`);
  return values.length > 0 ? `, if it is sent with ${values.join(' and ')}` : '';
}

/** `**Concerns** each person in \`to\` and \`cc\`.` */
export function peopleText({ fields, groups = [] }: People): string {
  const singles = fields.length > 0 ? [`each person in ${fields.map((name) => `\`${name}\``).join(', ')}`] : [];
  const others = groups.map(({ field, who, count }) => {
    const how = count ? `counted by \`${count.operation}\`` : 'whom no documented request counts';
    return `the ${who} (\`${field}\`), ${how}`;
  });
  return `**Concerns** ${[...singles, ...others].join('; ')}.`;
}

export function testModeText(field: string): string {
  return `**Test mode.** With \`${field}\` true, the service checks the request, sends nothing and charges nothing.`;
}

function undoText(undo: string): string {
  if (undo === 'none')
    return '**Cannot be undone** by one documented request. The commands ask before they send this request.';
  if (undo === 'previous-value') return '**To undo it**, send the values from before. Read them first.';
  return `**To undo it**, use \`${undo}\`.`;
}

/** A single text follows its label. Several become a list. */
function quote(label: string, gaps: GapText[] = []): string {
  const [first, ...others] = gaps.map(({ text }) => text);
  if (first === undefined) return '';
  const block = others.length === 0 ? `**${label}.** ${first}` : list(label, [first, ...others]);
  return block.replace(/^/gm, '> ');
}

function list(heading: string, lines: string[]): string {
  return lines.length === 0 ? '' : `**${heading}**\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function pages(paging: NonNullable<Extensions['x-pagination']>): string {
  const maximum = paging.maximum === undefined ? '' : `, at most ${paging.maximum} on a page`;
  const text = `**Pages.** \`${paging.limit}\` and \`${paging.offset}\` in the ${paging.in}${maximum}.`;
  return `${text}\n\n${quote(gapLabels['x-inferred'], paging['x-inferred'])}`.trim();
}
