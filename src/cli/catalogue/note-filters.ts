import { isRecord } from '../../shared/is-record.ts';
import { cutText } from '../text/cut-text.ts';
import type { Params } from './check-names.ts';
import { fieldsOf } from './fields.ts';
import type { Method } from './methods.ts';

/**
 * Returns a note if the records in a list contradict a parameter. The service may have ignored the parameter, and the caller
 * would then use all records as if they matched.
 */
export function noteFilters(method: Method, params: Params, response: unknown): string[] {
  if (method.effect !== 'read') return [];
  const items = isRecord(response) && Array.isArray(response.data) ? response.data : response;
  if (!Array.isArray(items)) return [];
  const records = items.filter(isRecord);
  const documented = new Set(fieldsOf(method).map(({ name }) => name));
  return Object.entries(params).flatMap(([name, wanted]) => {
    // A documented filter may apply to a field with another name.
    if (!isScalar(wanted) || records.length === 0 || documented.has(name)) return [];
    const known = records.filter((record) => isScalar(record[name]));
    const others = known.filter((record) => !fits(record[name], wanted)).length;
    if (others > 0)
      return [
        `In ${others} of ${records.length} records, ${cutText(name, 60)} differs from the parameter. Do not rely on the parameter as a filter.`,
      ];
    if (known.length > 0) return [];
    return [
      `The parameter ${cutText(JSON.stringify(name), 60)} is not documented, and no record has this field. The service may have ignored the parameter.`,
    ];
  });
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a value fits a filter. A filter for strings may match a part of the value. */
function fits(value: unknown, wanted: unknown): boolean {
  return String(value).toLowerCase().includes(String(wanted).toLowerCase());
}
