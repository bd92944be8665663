import { extensions, isExtension } from '../spec/extensions.ts';
import { walk } from '../spec/rule-walk.ts';
import { sectionsOfDocument, sectionsOfSource } from '../spec/sections.ts';
import type { Finding } from './finding.ts';
import { findingAt, type Path, type SpecSource } from './spec-source.ts';

interface Fault {
  path: Path;
  rule: string;
  message: string;
}

/** Checks the extensions of a spec: that each is known, in its place and in its form, and that none is missing. */
export function checkExtensions(source: SpecSource): Finding[] {
  const openapi = source.tree.toJS();
  return [...walk(openapi).flatMap(faultsOf), ...sourceFaults(openapi)].map(({ path, rule, message }) =>
    findingAt(source, path, rule, message),
  );
}

type Entry = ReturnType<typeof walk>[number];

/** Extensions that each kind of object must have. */
const required: Readonly<Record<string, readonly (keyof typeof extensions)[]>> = {
  info: ['x-document'],
  operation: ['x-source', 'x-sdk', 'x-effect'],
  'component schema': ['x-source'],
};

function faultsOf({ kind, node, path }: Entry): Fault[] {
  const kinds =
    kind === 'schema' && path.length === 3 && path[0] === 'components' ? [kind, 'component schema'] : [kind];
  const missing = kinds.flatMap((each) => required[each] ?? []).filter((key) => node[key] === undefined);
  return [
    ...missing.map((key) => ({
      path,
      rule: 'extension-present',
      message: `there is no ${key}: write ${extensions[key].write}`,
    })),
    ...Object.keys(node)
      .filter((key) => key.startsWith('x-'))
      .flatMap((key) => faultOf(key, node[key], kinds).map((fault) => ({ ...fault, path: [...path, ...fault.path] }))),
  ];
}

function faultOf(key: string, value: unknown, kinds: readonly string[]): Fault[] {
  const rule = 'extension-known';
  if (!isExtension(key))
    return [{ path: [key], rule, message: `${key} is not a known extension (${Object.keys(extensions).join(', ')})` }];
  const { on, form, write } = extensions[key] as { on?: readonly string[] } & (typeof extensions)[typeof key];
  if (on && !on.some((place) => kinds.includes(place)))
    return [{ path: [key], rule, message: `${key} is allowed on ${on.join(' or ')}, not on ${kinds[0]}` }];
  const [issue] = form.safeParse(value).error?.issues ?? [];
  if (!issue) return [];
  const place = issue.path.filter((part) => typeof part !== 'symbol');
  const cause = issue.code === 'invalid_union' ? '' : ` (${[...place, issue.message].join(' ')})`;
  return [{ path: [key, ...place], rule: 'extension-form', message: `${key} must be ${write}${cause}` }];
}

/** Sources that name no section of the document. */
function sourceFaults(openapi: Parameters<typeof sectionsOfDocument>[0]['openapi']): Fault[] {
  const { success, data } = extensions['x-document'].form.safeParse(openapi.info?.['x-document']);
  if (!success) return [];
  const known = sectionsOfDocument({ openapi });
  return walk(openapi).flatMap(({ kind, node, path }) => {
    const key = kind === 'rule' ? 'source' : 'x-source';
    const given = node[key];
    if (typeof given !== 'string') return [];
    const sections = sectionsOfSource(given);
    if (/^\d+ (§\d+(?:, §\d+)*)$/.test(given) && sections.every((section) => known.includes(section))) return [];
    const message = `${given} is not a source of this spec: write the document and its sections, ${known[0]} to §${data.sections}, such as ${data.number} §2, §4`;
    return [{ path: [...path, key], rule: 'source-sections', message }];
  });
}
