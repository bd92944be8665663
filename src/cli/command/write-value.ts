import { isRecord } from '../../shared/is-record.ts';
import type { Io } from './io.ts';
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

/** Creates a writer for a stream of items. The writer keeps only the columns in memory. */
export async function openListWriter(layout: Layout): Promise<ListWriter> {
  if (layout.format !== 'table') return createListWriter({ ...layout, format: layout.format });
  // Loaded on demand, because only tables need character widths.
  return (await import('./table.ts')).createTableWriter(layout);
}

/** Writes the result of a call: a value, or a list in any number of parts. */
export interface Output {
  value(value: unknown): Promise<void>;
  items(items: readonly unknown[]): Promise<void>;
  /** Ends a list. */
  end(): Promise<void>;
  /** Names of the fields that have no column. */
  dropped(): ReadonlySet<string>;
}

/** Creates the output of one call. */
export function createOutput(layout: Layout, io: Io): Output {
  let writer: ListWriter | undefined;
  const open = async (): Promise<ListWriter> => {
    writer ??= await openListWriter(layout);
    return writer;
  };
  return {
    value: async (value) => void (await io.write(await formatValue(value, layout))),
    items: async (items) => void (await io.write((await open()).add(items))),
    end: async () => void (await io.write((await open()).end())),
    dropped: () => writer?.dropped ?? new Set(),
  };
}
