import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long is started first, so that all workers end at about the same time. Small files fill the rest. */
const projects = ['system', 'tools', 'fast'];

/**
 * Files that take longest, from the root, in order of start: the first two need different builds, so that no worker
 * waits for the other's. Vitest knows how long a file took last time, but not in a fresh clone.
 */
export const longest = [
  'test/browser/pages.test.ts',
  'test/package/budgets.test.ts',
  // It waits for most of its time, so other files have both cores.
  'test/jobs/outage.system.test.ts',
  'test/browser/docs.test.ts',
  'test/browser/try.test.ts',
  'test/start/start.test.ts',
  'test/browser/search.test.ts',
  'test/browser/package-reference.test.ts',
  'test/guides/import-contacts.test.ts',
  'test/package/types.test.ts',
  'test/generate/command.test.ts',
  'test/types/program.test.ts',
  'test/lint/spectral.test.ts',
  'test/mock/prism.test.ts',
  'test/lint/specs.test.ts',
  'test/outcomes/model/model.tools.test.ts',
  'test/sandbox/model/model.test.ts',
  'test/sandbox/framework/large.tools.test.ts',
];

/** Orders the test files of a run. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other));
  }
}

function projectOf({ project }: TestSpecification): number {
  return projects.indexOf(project.name);
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
}
