import { type NameKind, unknownName } from '../../shared/unknown-name.ts';
import { ConfigError } from './errors/local-errors.ts';

/**
 * Refuses unknown names, and suggests the closest known one.
 *
 * @throws {@link ConfigError} if a name is unknown
 */
export function checkOptionNames(
  given: readonly string[],
  known: readonly string[],
  kind: NameKind = { one: 'option ', all: 'options' },
): void {
  const problem = unknownName(given, known, kind);
  if (problem !== undefined) throw new ConfigError(`T${problem.slice(1)}`);
}
