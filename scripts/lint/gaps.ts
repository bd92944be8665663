import { namedGapTable } from '../spec/named-gaps.ts';
import { displayPath, type Finding } from './finding.ts';
import { findingAt, type Path, type SpecSource } from './spec-source.ts';

const rule = 'gap-known';

/**
 * Checks the form of `spec/gaps.yaml`, and that it has each gap that the specs name. If all specs are given, each gap in
 * it must be used.
 */
export function checkGaps(sources: readonly SpecSource[], gaps: SpecSource, { areAll = true } = {}): Finding[] {
  if (gaps.findings.length > 0) return gaps.findings;
  const { data, error } = namedGapTable.safeParse(gaps.tree.toJS());
  if (!data) {
    return error.issues.map(({ path, message }) =>
      findingAt(gaps, path.map(String), 'gap-form', `a gap must be {title, assumes, advice}: ${message}`),
    );
  }
  const ids = Object.keys(data);
  const named = sources.flatMap((source) => namedGaps(source.tree.toJS()).map((one) => ({ source, ...one })));
  const unknown = named.filter(({ id }) => !ids.includes(id));
  const unused = areAll ? ids.filter((id) => !named.some((one) => one.id === id)) : [];
  return [
    ...unknown.map(({ source, path, id }) =>
      findingAt(
        source,
        path,
        rule,
        `${displayPath(gaps.file)} has no gap ${id}: add it there, or use ${ids.join(', ')}`,
      ),
    ),
    ...unused.map((id) =>
      findingAt(gaps, [id], rule, `no spec names the gap ${id}: remove it, or write {gap: ${id}, text: …}`),
    ),
  ];
}

/** The ids that `x-open`, `x-inferred` and `x-conflict` name, with their positions. */
function namedGaps(node: unknown, path: Path = [], isInGap = false): { path: Path; id: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const place = [...path, Array.isArray(node) ? Number(key) : key];
    if (isInGap && key === 'gap') return [{ path: place, id: String(value) }];
    return namedGaps(value, place, isInGap || /^x-(open|inferred|conflict)$/.test(key));
  });
}
