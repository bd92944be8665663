import { UsageError } from '../../shared/command-line.ts';
import { replaceInvisible } from '../text/invisible.ts';
import type { Io } from './io.ts';

/** A command-line value, or a cell. */
export interface Written {
  readonly text: string;
  /** Whether the string itself is the value, so that it is not read as JSON, as a list or as `null`. */
  readonly isLiteral: boolean;
}

/** The value that a person typed for a flag: a string, or the content of a file. */
export type Expanded = Written | { readonly bytes: Uint8Array; readonly path: string };

/**
 * Reads a value that a person typed. `@path` stands for the content of a file, `@=` begins a literal string, and `@@` stands
 * for an `@`. Only the values of flags are read in this way, never data from files.
 *
 * @param sendsContent - whether a path without a leading `@` is invalid
 * @throws `UsageError` if a path does not lead to a regular file, or if the value is a path instead of a file's content
 */
export async function expand(flag: string, text: string, sendsContent: boolean, io: Io): Promise<Expanded> {
  if (text.startsWith('@=')) return { text: text.slice(2), isLiteral: true };
  if (text.startsWith('@@')) return { text: text.slice(1), isLiteral: false };
  if (text.startsWith('@')) {
    const path = text.slice(1);
    const bytes = await io.readFile(path).catch((cause: unknown) => {
      const reason = cause instanceof UsageError ? cause.message : `the file ${path} cannot be read.`;
      throw new UsageError(`${flag}: ${reason} To send the text itself, write @${text}.`, { cause });
    });
    io.note(`${flag} is the content of ${replaceInvisible(path)} (${bytes.length.toLocaleString('en-GB')} bytes).\n`);
    return { bytes, path };
  }
  if (sendsContent && /^[^\n]{1,250}$/.test(text) && io.isFile(text))
    throw new UsageError(
      `${flag}: ${text} is a file. To send the content of the file, write @${text}. To send the name, write @=${text}.`,
    );
  return { text, isLiteral: false };
}

/**
 * Decodes the content of a file.
 *
 * @param other - the flag for files that are not text
 * @throws `UsageError` if the content is not UTF-8
 */
export function asText(flag: string, { bytes, path }: { bytes: Uint8Array; path: string }, other?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const hint = other === undefined ? '' : ` For other files, use ${other}.`;
    throw new UsageError(`${flag}: ${path} is not UTF-8 text.${hint}`, { cause });
  }
}
