import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const count = 10;

/** Prints how long the files of each project took together, and the slowest files. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      project: module.project.name,
      name: relative(process.cwd(), module.moduleId),
      milliseconds: timeOf(module),
    }));
    if (files.length <= count) return;
    const projects = [...new Set(files.map(({ project }) => project))];
    const lines = projects.map((project) => {
      const own = files.filter((file) => file.project === project);
      const together = own.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      return line(together, `${project}, ${own.length} files`);
    });
    const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, count);
    lines.push('', 'The slowest files:', ...slowest.map(({ name, milliseconds }) => line(milliseconds, name)));
    console.log(`\nTime in the workers, which run side by side:\n${lines.join('\n')}\n`);
  }
}

function timeOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration;
}

function line(milliseconds: number, what: string): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${what}`;
}
