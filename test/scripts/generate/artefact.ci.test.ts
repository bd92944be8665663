import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { compileProject } from '../../system/package/compile-project.ts';

const program = `
import createClient from 'openapi-fetch';
import type { CrmMethods } from './generated/crm/methods.ts';
import { DealStatus } from './generated/crm/models.ts';
import { crmOperations } from './generated/crm/operations.ts';
import type { CrmPaths, paths } from './generated/crm/types.ts';

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:4012' + crmOperations.base });
const { data, error } = await api.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
const name: string | undefined = data?.data?.name;
await api.POST('/deals', { body: { name: 'Renewal', pipelineId: 1, stepId: 11, responsibleId: 77 } });
// @ts-expect-error -- a number as a name
await api.POST('/deals', { body: { name: 5, pipelineId: 1, stepId: 11, responsibleId: 77 } });

export type Deal = Awaited<ReturnType<CrmMethods['deals']['get']>>;
export type Payload = CrmPaths['GET']['/deals/{dealId}']['data'];
export const status: Deal['status'] = DealStatus.Success;
export const shown = [name, error];
`;

test('generated/crm and its shared types compile in an empty project, in a program for openapi-fetch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-artefact-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(repositoryRoot, 'generated/crm'), join(folder, 'generated/crm'), { recursive: true });
  for (const file of ['call-types.ts', 'paths-of.ts', 'query-types.ts']) {
    cpSync(join(repositoryRoot, 'src/shared', file), join(folder, 'src/shared', file));
  }
  for (const library of ['openapi-fetch', 'openapi-typescript-helpers']) {
    const link = join(folder, 'node_modules', library);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(repositoryRoot, 'node_modules', library), link);
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'program.ts'), program);
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  expect(compileProject(join(folder, 'tsconfig.json'))).toEqual([]);
});
