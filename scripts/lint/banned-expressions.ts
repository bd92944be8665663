import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { displayPath, type Finding } from './finding.ts';

const list = z.object({
  /** Folders that are clean. Extend this list until it covers the whole project. */
  folders: z.array(z.string()),
  /** Expression → what to write instead. */
  expressions: z.record(z.string(), z.string()),
});

/** The committed list of folders and expressions. */
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
  folders?: string[];
} = {}): {
  files: number;
  findings: Finding[];
} {
  const folders = options.folders ?? bannedExpressions.folders;
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,mts,js,mjs,md,yaml,yml,html}`),
    { cwd: root },
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
