import { methodCall, readList } from '../generate/outputs/method-call.ts';
import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import { program, show } from './typescript-program.ts';

/** A program that calls the operation's method with the first example of its request. It iterates over lists. */
export function methodSample(operation: SpecOperation): string {
  const fields = flatFields(operation);
  if (operation.operation['x-pagination']) return program(operation, readList(operation, fields));
  if (!operation.success.schema) return program(operation, `${methodCall(operation, fields)};`);
  const name = resultName(operation);
  const call = methodCall(operation, fields, { before: `const ${name} = ` });
  return program(operation, `${call};\n${show(operation, name)}`);
}

/** Variable name of a result: `users` for `listUsers`, `deal` for `createDeal`, otherwise `result`. */
function resultName({ operationId }: SpecOperation): string {
  const [, noun] = /^(?:list|get|create|update)([A-Z]\w*)$/.exec(operationId) ?? [];
  return noun ? noun.charAt(0).toLowerCase() + noun.slice(1) : 'result';
}
