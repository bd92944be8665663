import { methodCall, readList } from '../generate/method-call.ts';
import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import { joinParts } from './parts.ts';
import { declared, program, show } from './typescript-program.ts';

/** Maximum number of items that a sample reads from a list. */
const mostItems = 20;

/** A program that calls the operation's method. It reads a list first in a loop, then as an array. */
export function methodSample(operation: SpecOperation): string {
  const isList = operation.operation['x-pagination'] !== undefined;
  const name = resultName(operation);
  const firstResult = isList ? 1 : 0;
  const parts = joinParts(operation, '//', (example, index) => {
    const fields = flatFields(example);
    if (isList && index === 0) return readList(example, fields);
    if (!operation.success.schema) return `${methodCall(example, fields)};`;
    const call = methodCall(example, fields, declared(operation, name, index - firstResult, firstResult));
    return `${call}${isList ? `.toArray({ max: ${mostItems} })` : ''};\n${show(operation, name)}`;
  });
  return program(operation, parts);
}

/** Variable name of a result: `users` for `listUsers`, `deal` for `createDeal`, otherwise `result`. */
function resultName({ operationId }: SpecOperation): string {
  const [, noun] = /^(?:list|get|create|update)([A-Z]\w*)$/.exec(operationId) ?? [];
  return noun ? noun.charAt(0).toLowerCase() + noun.slice(1) : 'result';
}
