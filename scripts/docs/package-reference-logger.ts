import { stripVTControlCharacters } from 'node:util';
import { Logger, LogLevel } from 'typedoc';

/** Collects the messages of TypeDoc. Warnings count as errors. */
export class PackageLogger extends Logger {
  readonly problems: string[] = [];

  override log(message: string, level: LogLevel): void {
    super.log(message, level);
    if (level === LogLevel.Warn || level === LogLevel.Error) this.problems.push(stripVTControlCharacters(message));
  }
}
