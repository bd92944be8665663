import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from './files.ts';

export const gapsFile: string = join(repositoryRoot, 'spec', 'gaps.yaml');

/** The form of `spec/gaps.yaml`: gaps by id. */
export const gapTable = z.record(
  z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  z.strictObject({
    title: z.string().min(1),
    assumes: z.string().min(1),
    advice: z.string().min(1),
    search: z.array(z.string().min(1)).optional(),
  }),
);

/** A gap that most programs meet. Points of the specs belong to it by its id. */
export interface Gap {
  id: string;
  title: string;
  /** What the client assumes, or does, as long as the answer is not known. */
  assumes: string;
  /** What a program should do. */
  advice: string;
  /** Words that readers search for, and that the texts do not contain. */
  search?: readonly string[] | undefined;
}

/** The gaps that matter most, in the order in which programs meet them. */
export function readGaps(): Gap[] {
  const gaps = gapTable.parse(parse(readFileSync(gapsFile, 'utf8')));
  return Object.entries(gaps).map(([id, gap]) => ({ id, ...gap }));
}
