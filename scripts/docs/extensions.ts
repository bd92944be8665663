import { z } from 'zod';
import { type MarkPoint, markPoints } from '../spec/marks.ts';
import { describeSource } from '../spec/source.ts';

const point = z.union([z.string(), z.object({ gap: z.string(), text: z.string() })]);
const mark = z.union([point, z.array(point)]).transform(markPoints);
const rule = z.object({ id: z.string(), text: z.string() });
const errorCode = z.object({ meaning: z.string() });
const pagination = z.object({
  in: z.enum(['query', 'body']),
  limit: z.string(),
  offset: z.string(),
  maximum: z.number().optional(),
  'x-inferred': mark.optional(),
});
const rateLimit = z.object({ requests: z.number(), seconds: z.number(), per: z.string() });

const extensions = z.object({
  'x-source': z.string().optional(),
  'x-open': mark.optional(),
  'x-inferred': mark.optional(),
  'x-conflict': mark.optional(),
  'x-rules': z.array(rule).optional(),
  'x-errors': z.record(z.string(), errorCode).optional(),
  'x-safe': z.boolean().optional(),
  'x-effect': z.enum(['read', 'write', 'delete', 'send']).optional(),
  'x-undo': z.string().optional(),
  'x-people': z.array(z.string()).optional(),
  'x-sends-if': z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  'x-rate-limit': rateLimit.optional(),
  'x-pagination': pagination.optional(),
});

/** Labels of the extensions for facts that are not certain. */
export const markLabels = {
  'x-open': 'Not documented',
  'x-inferred': 'Inferred',
  'x-conflict': 'In conflict',
} as const;
export type MarkName = keyof typeof markLabels;
export const markNames: readonly MarkName[] = ['x-open', 'x-inferred', 'x-conflict'];

export interface OpenPoint extends MarkPoint {
  mark: MarkName;
}

/** Every mark of one object of a spec, including that of its paging. */
export function readMarks(node: object, path: string[]): OpenPoint[] {
  const found = readExtensions(node, path);
  return markNames.flatMap((mark) => {
    const points = [...(found[mark] ?? []), ...((mark === 'x-inferred' && found['x-pagination']?.[mark]) || [])];
    return points.map((point) => ({ mark, ...point }));
  });
}

/** Extensions that are removed, because the description contains them or only generators need them. */
export const foldedExtensions = [
  ...Object.keys(extensions.shape),
  'x-document',
  'x-sdk',
  'x-enum-varnames',
  'x-variants',
  'x-title',
];

/**
 * The extensions of one object of a spec as Markdown blocks, for a page that is complete without the site. The source comes
 * last, after blocks that the caller adds. A rule has no source of its own here: the page of rules names it.
 */
export function describeExtensions(node: object, path: string[], added: readonly string[] = []): string[] {
  const found = readExtensions(node, path);
  const {
    'x-source': source,
    'x-rules': rules = [],
    'x-errors': errors = {},
    'x-rate-limit': limit,
    'x-pagination': paging,
    'x-safe': safe,
    'x-effect': effect,
    'x-undo': undo,
    'x-sends-if': sendsIf,
  } = found;
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
    effect === 'send'
      ? `**Reaches people or costs money${onlyIf(sendsIf)}.** The commands ask before they send this request.`
      : '',
    undo ? undoText(undo) : '',
    safe ? '**Reads only.** The client can retry this request after a failure.' : '',
    paging ? pages(paging) : '',
    ...markNames.map((mark) => quote(markLabels[mark], found[mark])),
    ...added,
    source ? `Source: ${describeSource(source)}.` : '',
  ].filter((block) => block !== '');
}

/** ` with \`state\` 1` */
function onlyIf(sendsIf: Readonly<Record<string, string | number>> = {}): string {
  const values = Object.entries(sendsIf).map(([name, value]) => `\`${name}\` ${value}`);
  return values.length > 0 ? `, if it is sent with ${values.join(' and ')}` : '';
}

function undoText(undo: string): string {
  if (undo === 'none')
    return '**Cannot be undone** by one documented request. The commands ask before they send this request.';
  if (undo === 'previous-value') return '**To undo it**, send the values from before. Read them first.';
  return `**To undo it**, use \`${undo}\`.`;
}

function readExtensions(node: object, path: string[]): z.infer<typeof extensions> {
  const { data, error } = extensions.safeParse(node);
  if (data) return data;
  const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`#/${pointer} has an extension whose form differs from spec/README.md (${problems.join('; ')})`);
}

/** One text follows its label; several become a list. */
function quote(label: string, points: MarkPoint[] = []): string {
  const [first, ...others] = points.map(({ text }) => text);
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

function pages(paging: z.infer<typeof pagination>): string {
  const maximum = paging.maximum === undefined ? '' : `, at most ${paging.maximum} on a page`;
  const text = `**Pages.** \`${paging.limit}\` and \`${paging.offset}\` in the ${paging.in}${maximum}.`;
  return `${text}\n\n${quote(markLabels['x-inferred'], paging['x-inferred'])}`.trim();
}
