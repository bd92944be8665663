import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { linkModules, writeDeclarations } from '../../../scripts/release/checkouts.ts';
import { judgeTypes } from '../../../scripts/release/types.ts';
import type { Release } from '../../../scripts/release/verdict.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

// Two compilers check every program, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const root = mkdtempSync(join(tmpdir(), 'carillon-types-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A release with the files that the judge of types reads. */
async function copyRelease(name: string): Promise<Release> {
  const folder = join(root, name);
  mkdirSync(folder);
  const filter = (path: string): boolean => !['dist', 'node_modules'].includes(basename(path));
  for (const file of ['package.json', 'tsconfig.json', 'spec', 'src', 'generated']) {
    cpSync(join(repositoryRoot, file), join(folder, file), { recursive: true, filter });
  }
  await linkModules(folder);
  await writeDeclarations(folder);
  return { folder, version: name };
}

let base: Release;
let next: Release;
beforeAll(async () => {
  [base, next] = [await copyRelease('base'), await copyRelease('next')];
});

/** A change of one line of a declaration, with a name that identifies its verdict. */
interface Edit {
  file: string;
  from: string;
  to: string;
  name: string;
}

const models = 'src/client/dist/types/generated/crm/models.d.ts';
const methods = 'src/client/dist/types/generated/crm/methods.d.ts';
const options = 'src/client/dist/types/src/client/core/options.d.ts';
const common = 'src/client/dist/types/src/client/common.d.ts';

/** Up to about `count` matches of an expression in a file of the base, evenly spread, as edits. */
function edits(
  file: string,
  form: RegExp,
  count: number,
  change: (match: RegExpMatchArray) => Omit<Edit, 'file' | 'from'>,
): Edit[] {
  const all = [...readFileSync(join(base.folder, file), 'utf8').matchAll(form)];
  const step = Math.max(1, Math.floor(all.length / count));
  return all
    .filter((_, index) => index % step === 0)
    .slice(0, count)
    .map((match) => ({ file, from: match[0], ...change(match) }));
}

function apply(all: readonly Edit[]): void {
  for (const file of [models, methods, options, common]) {
    let text = readFileSync(join(base.folder, file), 'utf8');
    for (const { from, to } of all.filter((edit) => edit.file === file)) {
      const changed = text.replace(from, () => to);
      if (changed === text) throw new Error(`${file} has no ${from}`);
      text = changed;
    }
    writeFileSync(join(next.folder, file), text);
  }
}

/** The first field of each interface of a kind, without its comment. */
const firstField = (kind: string): RegExp =>
  new RegExp(
    `export interface (\\w+${kind}) (?:extends \\w+ )?\\{\\n(?: +/\\*\\*[^]*?\\*/\\n)? +(\\w+)\\??: [^;\\n]+;`,
    'g',
  );

function breakingEdits(): Edit[] {
  return [
    ...edits(methods, /^( +)(changePipeline|createLegacy|assign|unassign)\(/gm, 4, ([, space, name]) => ({
      to: `${space}${name}Anew(`,
      name: `${name}\` can no longer be called`,
    })),
    ...edits(models, firstField('(?:Create|Input)'), 8, ([text, name = '', field = '']) => ({
      to: text.replace(new RegExp(`${field}\\??: [^;\\n]+;`), `${field}Anew?: string;`),
      name: `\`${name}\` no longer has \`${field}\``,
    })),
    ...edits(
      common,
      /\b(BatchOptions|CallDetails|List|Page|TokenStore|StoredToken|HookCall|HookError|Middleware|PathResult|Sent|ErrorName)\b(?=[,} ])/g,
      12,
      ([text]) => ({ to: `${text} as ${text}Anew`, name: `\`${text}\` is no longer exported` }),
    ),
    ...edits(options, /^ {4}(\w+)\?: [^;\n{]+;$/gm, 12, ([text, field = '']) => ({
      to: text.replace(field, `${field}Anew`),
      name: `\`${field}\``,
    })),
  ];
}

const harmlessEdits = (): Edit[] => [
  ...edits(models, firstField('(?:Create|Input)'), 10, ([text]) => ({
    to: `${text}\n    brandNew?: string;`,
    name: '',
  })),
  ...edits(
    models,
    /export interface (Pipeline|Step|Deal|Contact|Board|Payment|User) (?:extends \w+ )?\{\n/g,
    7,
    ([text]) => ({ to: `${text}    brandNew: string;\n`, name: '' }),
  ),
  ...edits(options, /^ {4}(\w+)\?: [^;\n{]+;$/gm, 12, ([text]) => ({
    to: `    brandNewFor${text.trim().split('?')[0]}?: string;\n${text}`,
    name: '',
  })),
  ...edits(options, /^( +)\* [A-Z][^@\n]+$/gm, 15, ([, space]) => ({
    to: `${space}* The same in other words.`,
    name: '',
  })),
];

const programs = new Map([
  [
    'docs/guides/one.md:3',
    "import { createClient } from 'carillon';\nconst api = createClient({ baseUrl: 'https://api.example.com', auth: null });\nconsole.log(await api.crm.users.list());\n",
  ],
]);

test('an unchanged build breaks no program, with the oldest and the newest compiler', async () => {
  expect(await judgeTypes(base, next, programs)).toEqual([]);
});

test('each break of a declaration is found and named', async () => {
  const all = breakingEdits();
  expect(all.length).toBeGreaterThan(25);
  apply(all);
  const verdicts = await judgeTypes(base, next, programs);
  const sentences = verdicts.map(({ sentence }) => sentence).join('\n');
  expect(all.filter(({ name }) => !sentences.includes(name)).map(({ name }) => name)).toEqual([]);
  expect(verdicts.every(({ surface, impact }) => surface === 'types' && impact === 'break')).toBe(true);
});

test('additions and changed comments in declarations break no program', async () => {
  const all = harmlessEdits();
  expect(all.length).toBeGreaterThan(35);
  apply(all);
  expect(await judgeTypes(base, next, programs)).toEqual([]);
});

test('one cause is one line, with the programs that it breaks, without temporary paths', async () => {
  const [field] = edits(
    models,
    /export interface DealCreate extends DealFields \{[\s\S]*?\n {4}name\?: string \| undefined;/g,
    1,
    ([text]) => ({
      to: text.replace(/name(\?: string \| undefined;)$/, 'title$1'),
      name: '',
    }),
  );
  apply([field ?? expect.unreachable()]);
  const sample = `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
`;
  const verdicts = await judgeTypes(base, next, new Map([['docs/guides/deals.md:5', sample]]));
  const sentences = verdicts.map(({ sentence }) => sentence);
  expect(sentences.filter((sentence) => sentence.includes('docs/guides/deals.md'))).toEqual([
    expect.stringMatching(/no longer has `name`\. Programs that no longer compile: docs\/guides\/deals\.md:5\.$/),
  ]);
  expect(sentences.filter((sentence) => sentence.includes(root) || sentence.includes('import('))).toEqual([]);
  expect(new Set(verdicts.map(({ place }) => place)).size).toBe(verdicts.length);
  expect(verdicts.length).toBeLessThan(6);
});

test('a program that no longer compiles is named, with its reason', async () => {
  apply([]);
  const wrong = new Map([
    ['docs/guides/two.md:7', "import { createClint } from 'carillon';\nconsole.log(createClint);\n"],
  ]);
  const [verdict, ...more] = await judgeTypes(base, next, wrong);
  expect(more).toEqual([]);
  expect(verdict?.sentence).toMatch(/^A program no longer compiles, docs\/guides\/two\.md:7: .*createClint/);
});
