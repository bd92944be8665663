import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from './files.ts';

export const gapsFile: string = join(repositoryRoot, 'spec', 'gaps.yaml');

/** Schema of `spec/gaps.yaml`: gaps by id. */
export const gapTable = z.record(
  z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  z.strictObject({
    title: z.string().min(1),
    assumes: z.string().min(1),
    advice: z.string().min(1),
    search: z.array(z.string().min(1)).optional(),
  }),
);

/** A gap that affects most programs. Points of the specs refer to it by its id. */
export interface Gap {
  id: string;
  title: string;
  /** The client's assumption or behaviour until the answer is known. */
  assumes: string;
  /** Advice for programs. */
  advice: string;
  /** Words that readers search for and that the texts do not contain. */
  search?: readonly string[] | undefined;
}

/** The most important gaps, in the order in which programs meet them. */
export function readGaps(): Gap[] {
  const gaps = gapTable.parse(parse(readFileSync(gapsFile, 'utf8')));
  return Object.entries(gaps).map(([id, gap]) => ({ id, ...gap }));
}
