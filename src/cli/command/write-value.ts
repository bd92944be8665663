import { isRecord } from '../../shared/is-record.ts';
import { createListWriter, json, type Layout, type ListWriter, pick } from './output.ts';

/** Formats one value. */
export async function formatValue(value: unknown, layout: Layout): Promise<string> {
  if (value === undefined) return '';
  const { format, fields } = layout;
  if (format === 'json') return `${json(pick(value, fields), 2)}\n`;
  if (format === 'table' && isRecord(value)) return (await import('./table.ts')).formatRecord(value, layout);
  const writer = await openListWriter(layout);
  return writer.add([value]) + writer.end();
}

/** Creates a writer for a stream of items. It keeps only the columns in memory. */
export async function openListWriter(layout: Layout): Promise<ListWriter> {
  if (layout.format !== 'table') return createListWriter({ ...layout, format: layout.format });
  // Loaded on demand, because only tables need the widths of characters.
  return (await import('./table.ts')).createTableWriter(layout);
}
