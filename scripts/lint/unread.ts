import { displayPath, type Finding } from './finding.ts';

/**
 * Reports each YAML file of `spec/` that nothing reads, such as a spec that the list of specs does not name.
 *
 * @param present - the YAML files in `spec/`
 * @param read - the files that the lint or a generator reads
 */
export function checkUnread(present: readonly string[], read: readonly string[]): Finding[] {
  return present
    .filter((file) => !read.includes(file))
    .map((file) => ({
      file: displayPath(file),
      line: 1,
      column: 1,
      rule: 'file-read',
      message: 'nothing reads this file: add its name to `products` in scripts/spec/files.ts, or remove it',
    }));
}
