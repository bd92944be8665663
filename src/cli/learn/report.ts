import { type Basis, countOf, describeShape, type Findings, nameOfPointer, type State, states } from './findings.ts';

const titles: Readonly<Record<State, string>> = {
  settled: 'Settled',
  supported: 'Supported: seen, but not often enough, or as the project assumes',
  contradicted: 'Contradicted',
  'not seen': 'Not seen',
  'traffic cannot tell': 'Traffic cannot tell',
};

/** `observed on 2 accounts, 17 replies`. */
export function basisText({ accounts, replies }: Basis): string {
  return `observed on ${plural(accounts, 'account')}, ${plural(replies, 'reply', 'replies')}`;
}

/** `1 account`, `2 accounts`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** One part of a report: a title and its lines. */
interface Section {
  title: string;
  lines: string[];
}

/**
 * Formats the findings as text for a terminal, or as Markdown.
 *
 * @param isWhole - whether to list also the points that were not seen, and those that traffic cannot settle
 */
export function writeReport(findings: Findings, { markdown = false, isWhole = false } = {}): string {
  const sections = sectionsOf(findings, isWhole);
  const counts = states.map((state) => `${findings.points.filter((one) => one.state === state).length} ${state}`);
  const intro = `${capital(basisText(findings))}. Of ${findings.points.length} points that are not documented: ${counts.join(', ')}.`;
  if (!markdown) {
    const parts = sections.map(
      ({ title, lines }) => `${title} (${lines.length})\n${lines.map((line) => `  ${line}\n`).join('')}`,
    );
    return `${[`${intro}\n`, ...parts].join('\n')}`;
  }
  const parts = sections.map(
    ({ title, lines }) => `## ${title}\n\n${lines.map((line) => `- ${escapeMarkdown(line)}\n`).join('')}`,
  );
  return `${['# What traffic shows', intro, ...parts].join('\n\n').trimEnd()}\n`;
}

function sectionsOf({ points, differences, newFields, unnamed }: Findings, isWhole: boolean): Section[] {
  const ofPoints = states
    .filter((state) => isWhole || (state !== 'not seen' && state !== 'traffic cannot tell'))
    .map((state) => ({
      title: titles[state],
      lines: points
        .filter((one) => one.state === state)
        .map((one) => {
          const place = `${one.product}: ${nameOfPointer(one.point.at)}`;
          const text = one.point.text.split(/(?<=[.?!]) /)[0] ?? '';
          if (one.replies === 0 && one.shows === '') return `${place}: ${text}`;
          // `carillon learn overlay --accept` takes the pointer.
          const pointer = state === 'settled' ? `; ${one.point.at}` : '';
          return `${place}: ${text} Seen: ${one.shows} (${basisText(one)}${pointer})`;
        }),
    }));
  const ofDifferences = differences.map((one) => {
    const place = [one.operationId, one.status, one.place].filter(Boolean).join(' ');
    return `${place}: ${one.kind}: ${one.text} (${basisText(one)})`;
  });
  const ofFields = newFields.map((one) => {
    const count = countOf(one.shape);
    const times = count < one.records ? ` in ${count} of ${one.records} records` : '';
    return `${one.product}: ${nameOfPointer(one.at)}: ${one.name}: ${describeShape(one.shape)}${times} (${basisText(one)})`;
  });
  const counted = [...unnamed].map(
    ([record, count]) => `${record}: ${plural(count, 'field')} whose names are not written`,
  );
  return [
    ...ofPoints,
    { title: 'Differences from the specs', lines: ofDifferences },
    { title: 'New fields', lines: [...ofFields, ...counted] },
  ].filter(({ lines }) => lines.length > 0);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function escapeMarkdown(text: string): string {
  return text.replace(/[*_<>[\]|\\]/g, '\\$&');
}
