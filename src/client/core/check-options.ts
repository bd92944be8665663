import { type NameKind, unknownName } from '../../shared/did-you-mean.ts';
import { ConfigError } from './errors/local-errors.ts';

/**
 * Throws for options that are not an object, and for unknown names.
 *
 * @throws {@link ConfigError} which suggests the closest known name
 */
export function checkOptions(given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ConfigError(`Options must be an object, such as { ${known[0]}: … }`);
  checkOptionNames(Object.keys(given), known);
}

/**
 * Throws for unknown names.
 *
 * @throws {@link ConfigError} which suggests the closest known name
 */
export function checkOptionNames(
  given: readonly string[],
  known: readonly string[],
  kind: NameKind = { one: 'option ', all: 'options' },
): void {
  const problem = unknownName(given, known, kind);
  if (problem !== undefined) throw new ConfigError(`T${problem.slice(1)}`);
}

/** @throws {@link ConfigError} for a value such as `'false'`, which would otherwise count as true */
export function readBoolean(value: unknown, name: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'boolean') throw new ConfigError(`${name} must be true or false`);
  return value;
}

/** @throws {@link ConfigError} for a value other than `report` and `throw`, which would otherwise count as `report` */
export function checkOnInvalid(onInvalid: unknown): void {
  if (onInvalid !== 'report' && onInvalid !== 'throw') throw new ConfigError("onInvalid must be 'report' or 'throw'");
}

/**
 * The properties of an object that are not `undefined`.
 *
 * @internal
 */
export function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
