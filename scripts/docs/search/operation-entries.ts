import type { SpecOperation } from '../../spec/model.ts';
import { sdkOf } from '../../spec/parameters.ts';
import { errorsPage } from '../fact-links.ts';
import { anchorOf } from '../open-points.ts';
import type { Reference } from '../reference.ts';
import type { Entry } from './entry.ts';

/** An entry for each operation and for each of its error codes. */
export function operationEntries({ page, operations }: Reference): Entry[] {
  return operations.flatMap((operation) => {
    const href = page.file + anchorOf(operation);
    return [operationEntry(operation, href), ...codeEntries(operation)];
  });
}

/** `crm.deals.create` */
export function methodOf(operation: SpecOperation): string {
  return `${operation.spec.name}.${sdkOf(operation).method}`;
}

function operationEntry(operation: SpecOperation, href: string): Entry {
  const { method, base, path, operationId } = operation;
  const { summary, description, tags, 'x-rate-limit': quota } = operation.operation;
  const called = methodOf(operation);
  const paths = [base + path, ...(base === '' ? [] : [path])];
  return {
    kind: 'operation',
    title: summary,
    place: `${method} ${base}${path} · ${called}`,
    names: [
      operationId,
      called,
      sdkOf(operation).method,
      `api.${called}`,
      ...paths,
      ...paths.map((one) => `${method} ${one}`),
    ],
    text: [tags.join(' '), description.trim(), quota ? 'Has a quota.' : ''].filter(Boolean).join('. '),
    href,
  };
}

function codeEntries({ operation }: SpecOperation): Entry[] {
  return Object.entries(operation['x-errors'] ?? {}).map(([code, { meaning, rule }]) => ({
    kind: 'code',
    title: code,
    place: `Error code · ${operation.summary}`,
    names: [code, rule],
    text: meaning.trim(),
    href: `${errorsPage.file}#${code}`,
  }));
}
