import { quotaText } from '../../../src/cli/catalogue/type-text.ts';
import { apiErrorClass } from '../../../src/client/core/errors/api-error.ts';
import { resolve } from '../../spec/model.ts';
import type { Pagination } from '../../spec/schema.ts';
import type { OperationModel } from '../model/operation-model.ts';
import { gapSentences, sourceText } from '../typescript/schema-docs.ts';
import { type TsdocBlock, tsdoc } from '../typescript/tsdoc.ts';
import { methodCall, readList } from './method-call.ts';

/** The TSDoc of a method: meaning, quota, paging, what is not documented, source, errors, and an example call. */
export function methodDocs(operation: OperationModel): string {
  const { operation: source, quota, paging } = operation;
  const deprecated: TsdocBlock = { tag: 'deprecated' };
  return tsdoc([
    `${source.summary}. ${withMethods(operation, source.description.trim())}`,
    quota && `Quota: ${quotaText(quota)}.`,
    paging && pagingText(paging),
    ...gapSentences(source),
    `Request: \`${operation.method} ${operation.base}${operation.path}\`, operation \`${source.operationId}\`.`,
    sourceText(source['x-source']),
    ...errors(operation).map((text): TsdocBlock => ({ tag: 'throws', text })),
    source.deprecated && deprecated,
    { tag: 'example', text: `\`\`\`ts\n${example(operation)}\n\`\`\`` },
  ]);
}

/** Adds the method's name where a description refers to an operation by path. */
function withMethods({ methodNames }: OperationModel, text: string): string {
  return text.replace(/`([A-Z]+ \/[^`]*)`/g, (reference, key) => {
    const name = methodNames.get(key);
    return name === undefined ? reference : `\`${name}\` (${reference})`;
  });
}

function pagingText({ limit, maximum, 'x-inferred': inferred }: Pagination): string {
  const known = [
    maximum !== undefined && `Without \`${limit}\`, the client requests pages of ${maximum}.`,
    inferred && `The list continues after the first page only if \`${limit}\` is set.`,
  ];
  return [...known.filter(Boolean), 'Offset paging can skip or repeat items while data changes.'].join(' ');
}

function errors({ spec, operation }: OperationModel): string[] {
  const { responses, 'x-errors': codes = {} } = operation;
  const statuses = Object.entries(responses).filter(([status]) => /^[45]\d\d$/.test(status));
  const known = [
    ...statuses.map(([status, response]) => {
      const { description } = resolve(spec.openapi, response);
      return `\`${apiErrorClass(Number(status)).name}\` (status ${status}): ${description}`;
    }),
    ...Object.entries(codes).map(([code, { meaning }]) => `\`ApiError\` with code \`${code}\`: ${meaning}`),
  ];
  return [...known, `\`ApiError\` for any ${known.length > 0 ? 'other ' : ''}failure that the service reports`];
}

/** An example call, or a loop over the items of a list. */
function example(operation: OperationModel): string {
  const { paging, fields } = operation;
  return paging ? readList(operation, fields) : `${methodCall(operation, fields)};`;
}
