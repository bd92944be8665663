/** The Vitest projects: what a test needs decides where it belongs. */
export const projects = ['fast', 'tools', 'system'] as const;
export type Project = (typeof projects)[number];

/**
 * Folders whose tests start something. **tools**: a compiler, an interpreter, a linter, the generator or Prism, without a
 * build; or what computes for seconds. **system**: the built package, a command, a browser, a shell, Redis or curl. Every
 * other folder is **fast**.
 */
const folders: Record<Exclude<Project, 'fast'>, string[]> = {
  tools: ['bench', 'contract', 'docs', 'generate', 'lint', 'mock', 'search', 'types', 'workflows'],
  system: ['browser', 'guides', 'package', 'readme', 'samples', 'start'],
};

/** Names of files that say the same in any folder: `….tools.test.ts`, `….system.test.ts`, and tests of a command. */
const names: Record<Exclude<Project, 'fast'>, string[]> = {
  tools: ['*.tools', 'generate*'],
  system: ['*.system', 'command', 'redis'],
};

/** Vitest's globs for the test files of a project. */
export function projectFiles(project: Project): { include: string[]; exclude: string[] } {
  if (project === 'fast') return { include: ['test/**/*.test.ts'], exclude: [...globs('tools'), ...globs('system')] };
  // A name says more than a folder.
  const exclude = project === 'tools' ? namedFiles('system') : namedFiles('tools');
  return { include: globs(project), exclude };
}

function globs(project: Exclude<Project, 'fast'>): string[] {
  return [...folders[project].map((folder) => `test/${folder}/**/*.test.ts`), ...namedFiles(project)];
}

function namedFiles(project: Exclude<Project, 'fast'>): string[] {
  return names[project].map((name) => `test/**/${name}.test.ts`);
}
