import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { deriveEnvelope } from '../../scripts/spec/envelope.ts';
import type { Outcome, Runner } from './runner.ts';

/** Runs the samples of a language in its own process, so that Node loads them as it loads a user's program. */
export const typescriptRunner: Runner = {
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    const program = join(import.meta.dirname, 'typescript-process.ts');
    const child = fork(program, [language], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: 90_000,
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.on('message', ([name, outcome]: [string, Outcome]) => outcomes.set(name, outcome));
    const [code] = await once(child, 'close');
    expect({ code, said }).toEqual({ code: 0, said: '' });
    return outcomes;
  },
  check({ printed, warnings }, { language, operation, text }) {
    // A method without a payload has nothing to show, and a list of certain days is empty in the sandbox on other days.
    const hasDates = operation.operation['x-pagination'] !== undefined && /\d{4}-\d\d-\d\d/.test(text);
    const isSilent = language === 'typescript' && (hasDates || !deriveEnvelope(operation).payload);
    expect(printed.length).toBeGreaterThanOrEqual(isSilent ? 0 : 1);
    expect(printed).not.toContain('undefined');
    const { operationId, key } = operation;
    const { deprecated = false } = operation.operation;
    expect(warnings).toEqual(deprecated ? [`carillon: ${key} (${operationId}) is deprecated`] : []);
  },
};
