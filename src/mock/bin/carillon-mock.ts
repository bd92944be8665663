#!/usr/bin/env node
import { runMock } from '../command/command.ts';

process.exitCode = await runMock('carillon-mock', process.argv.slice(2), async () => {
  const { readOperations } = await import('../operations.ts');
  return readOperations();
});
