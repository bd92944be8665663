import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from './files.ts';
import type { SpecOperation } from './model.ts';

export const unsupportedFile: string = join(repositoryRoot, 'spec', 'unsupported.yaml');

const nonEmpty = z.string().min(1);

/**
 * A condition that matches no operation: methods of a path (`*` at its end includes all paths below), or words in paths
 * and operation IDs.
 */
const lack = z.union([
  z.strictObject({
    path: z.string().startsWith('/'),
    methods: z.array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])).min(1),
  }),
  z.strictObject({ words: z.array(z.string().regex(/^[a-z-]+$/)).min(1) }),
]);

type Lack = z.infer<typeof lack>;

const task = z.strictObject({
  /** The task in a user's words: `Cancel, change or undo a campaign`. */
  title: nonEmpty,
  /** Sections that do not list or document such an operation: `2 §3, §4`. */
  sources: z.array(z.string().regex(/^[1-9] §\d+(?:, §\d+)*$/)).min(1),
  /** Whether the sections list no such operation, or the document states that it does not show it. */
  stated: z.enum(['not listed', 'not documented']),
  /** The related facts of the documents, as Markdown. */
  why: nonEmpty,
  /** Advice as Markdown, with method names in backticks. */
  instead: nonEmpty,
  /** Conditions that no operation of the specs may match. */
  lacks: z.array(lack).min(1),
  /** Words that users search for. */
  search: z.array(nonEmpty).min(1),
});

/** Schema of `spec/unsupported.yaml`: tasks by id. */
export const unsupportedTable = z.record(z.string().regex(/^[a-z]+(-[a-z]+)*$/), task);

/** A task that users expect and the documents do not describe. */
type UnsupportedTask = z.infer<typeof task> & { id: string };

/** Reads the tasks in the file's order. */
export function readUnsupported(): UnsupportedTask[] {
  const tasks = unsupportedTable.parse(parse(readFileSync(unsupportedFile, 'utf8')));
  return Object.entries(tasks).map(([id, one]) => ({ id, ...one }));
}

/** Finds operations that a task claims are missing. */
export function findPresent(
  { lacks }: Pick<UnsupportedTask, 'lacks'>,
  operations: readonly SpecOperation[],
): SpecOperation[] {
  return operations.filter((operation) => lacks.some((one) => hasWhatIsLacking(one, operation)));
}

function hasWhatIsLacking(one: Lack, { method, path, operationId }: SpecOperation): boolean {
  if ('words' in one) {
    const name = `${path} ${operationId}`.toLowerCase();
    return one.words.some((word) => name.includes(word));
  }
  return isAt(one.path, path) && one.methods.some((name) => name === method);
}

/** Whether a path equals the named one, or is below it if the name ends with `*`. */
export function isAt(name: string, path: string): boolean {
  if (!name.endsWith('*')) return path === name;
  const start = name.slice(0, -1);
  return path === start || path.startsWith(`${start}/`);
}
