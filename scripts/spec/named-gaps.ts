import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from './files.ts';

export const gapsFile: string = join(repositoryRoot, 'spec', 'gaps.yaml');

const nonEmpty = z.string().min(1);

const gap = z.strictObject({
  title: nonEmpty,
  /** The client's assumption or behaviour while the fact is unknown. */
  assumes: nonEmpty,
  /** Advice for programs. */
  advice: nonEmpty,
  /** Words that readers search for and that the fields above do not contain. */
  search: z.array(nonEmpty).optional(),
});

/** Schema of `spec/gaps.yaml`: gaps by id. */
export const namedGapTable = z.record(z.string().regex(/^[a-z]+(-[a-z]+)*$/), gap);

/** A gap that most programs meet. The specs refer to it by its id. */
export type NamedGap = z.infer<typeof gap> & { id: string };

/** The named gaps, in the order in which programs meet them. */
export function readNamedGaps(): NamedGap[] {
  const gaps = namedGapTable.parse(parse(readFileSync(gapsFile, 'utf8')));
  return Object.entries(gaps).map(([id, one]) => ({ id, ...one }));
}
