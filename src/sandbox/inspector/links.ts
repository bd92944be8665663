/** A link from a record to the record that one of its fields names. */
export interface RecordLink {
  /** Name of the field, such as `pipelineId`. */
  field: string;
  /** Table of the other record, such as `crm.pipelines`. */
  table: string;
  key: string | number;
}

/** Fields that are not named after their table. */
const otherNames: Record<string, string> = {
  responsibleId: 'users',
  typeId: 'messengerTypes',
  addressBook: 'mailingLists',
};
const most = 20;

/**
 * Finds the links of a record. `pipelineId` names a record of the table `pipelines` of the same area, and a list
 * `contacts` names records of `contacts`.
 *
 * @param table - name of the record's own table
 * @param tables - whether a table with this name exists
 */
export function findLinks(table: string, record: unknown, tables: (name: string) => boolean): RecordLink[] {
  const [area = ''] = table.split('.');
  const found = new Map<string, RecordLink>();
  const add = (field: string, name: string, key: unknown): void => {
    const target = `${area}.${name}`;
    if ((typeof key === 'number' || typeof key === 'string') && tables(target) && found.size < most)
      found.set(`${target}/${key}`, { field, table: target, key });
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [field, child] of Object.entries(value)) {
      if (Array.isArray(child)) for (const key of child) add(field, field, key);
      add(field, tableOf(field, table), child);
      visit(child);
    }
  };
  visit(record);
  return [...found.values()];
}

function tableOf(field: string, table: string): string {
  if (field === 'attributeId') return table === 'crm.deals' ? 'dealAttributes' : 'contactAttributes';
  return Object.hasOwn(otherNames, field) ? (otherNames[field] ?? '') : field.replace(/Id$/, 's');
}
