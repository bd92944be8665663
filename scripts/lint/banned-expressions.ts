import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { displayPath, type Finding } from './finding.ts';

const list = z.object({
  /** Files and folders that contain no banned expression. Extend this list until it covers the whole project. */
  paths: z.array(z.string()),
  /** Expression → what to write instead. */
  expressions: z.record(z.string(), z.string()),
});

/** It has banned expressions on purpose. */
const ownTest = 'test/scripts/lint/banned-expressions.system.test.ts';

/** The committed list of paths and expressions. */
export const bannedExpressions = list.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'banned-expressions.json'), 'utf8')),
);

/** A line break inside a comment includes the mark that begins the next line. */
const space = String.raw`(?:\s|\n[ \t]*(?:\*|//|#)(?=\s))+`;

/** Finds expressions that make texts read like a translation, in comments, strings, Markdown and YAML. */
export function findBannedExpressions({
  root = repositoryRoot,
  ...options
}: {
  root?: string;
  paths?: string[];
} = {}): {
  files: number;
  findings: Finding[];
} {
  const paths = options.paths ?? bannedExpressions.paths;
  const files = globSync(
    // A path with an extension is a file.
    paths.map((path) => (/\w\.\w+$/.test(path) ? path : `${path}/**/*.{ts,mts,js,mjs,md,yaml,yml,html}`)),
    { cwd: root, exclude: ['**/node_modules/**', 'src/*/dist/**', 'scripts/bench/peers/generated/**', ownTest] },
  ).sort();
  const findings = files.flatMap((file) => checkText(join(root, file), readFileSync(join(root, file), 'utf8')));
  return { files: files.length, findings };
}

function checkText(file: string, text: string): Finding[] {
  const lines = new LineCounter();
  for (const { index } of text.matchAll(/^/gm)) lines.addNewLine(index);
  return Object.entries(bannedExpressions.expressions)
    .flatMap(([expression, replacement]) => {
      const pattern = new RegExp(`(?<![\\w-])${expression.replaceAll(' ', space)}(?![\\w-])`, 'gi');
      return Array.from(text.matchAll(pattern), ({ index }): Finding => {
        const { line, col: column } = lines.linePos(index);
        const message = `"${expression}" is banned: write "${replacement}"`;
        return { file: displayPath(file), line, column, rule: 'banned-expression', message };
      });
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}
