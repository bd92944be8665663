/**
 * Makes a value of a record share what is equal to the same place of the record before it, so that it is in memory once.
 * Records of one table repeat much: senders, subjects, texts, empty lists. Stored records never change, so they can share.
 *
 * @returns the value before if both are equal, or the given value with parts of it
 */
export function share(value: unknown, before: unknown): unknown {
  if (value === before) return before;
  if (Array.isArray(value)) return Array.isArray(before) ? shareList(value, before) : value;
  return isFields(value) && isFields(before) ? shareFields(value, before) : value;
}

type Fields = { [name: string]: unknown };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shareList(list: unknown[], before: readonly unknown[]): readonly unknown[] {
  let isEqual = list.length === before.length;
  for (let place = 0; place < list.length && place < before.length; place += 1) {
    const shared = share(list[place], before[place]);
    if (shared !== before[place]) isEqual = false;
    list[place] = shared;
  }
  return isEqual ? before : list;
}

function shareFields(fields: Fields, before: Fields): Fields {
  let isEqual = true;
  for (const name in fields) {
    const own = fields[name];
    // JSON may contain a field named `__proto__`, but reading it elsewhere finds something else.
    const shared = name === '__proto__' ? undefined : share(own, before[name]);
    if (shared === undefined || shared !== before[name]) isEqual = false;
    else if (typeof own === 'string' || typeof own === 'object') fields[name] = shared;
  }
  // Equal fields in another order are not the same record.
  return isEqual && Object.keys(fields).join() === Object.keys(before).join() ? before : fields;
}
