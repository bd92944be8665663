import type { FileValues } from './file-source.ts';
import { stringOf } from './values.ts';

/** Prefix of the columns for variables of a template. */
export const variableColumn = 'variable:';

/** Variables of a template in a row. An empty cell is an empty string. */
export function variablesOf(row: FileValues): Record<string, string> {
  const columns = Object.entries(row).filter(([column]) => column.startsWith(variableColumn));
  return Object.fromEntries(
    columns.map(([column, value]) => [column.slice(variableColumn.length), stringOf(value, column) ?? '']),
  );
}

export function formatVariables(variables: Record<string, string>): FileValues {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${variableColumn}${name}`, value]));
}
