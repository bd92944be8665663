/** Maximum nesting of arrays and objects in a body. */
export const maxNesting = 100;

/** A JSON text nests arrays and objects too deeply. */
export class NestingError extends Error {
  override readonly name = 'NestingError';

  constructor() {
    super(`The body nests arrays and objects more than ${maxNesting} levels deep.`);
  }
}

/**
 * Parses JSON of limited depth, so that no later step can overflow the stack.
 *
 * @throws `NestingError` if it is too deep, and `SyntaxError` if the text is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new NestingError();
  return value;
}

/** Does not recurse, so that no value can overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxNesting) return true;
    level = level.flatMap((one) => Object.values(one)).filter(isContainer);
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
