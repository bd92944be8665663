#!/usr/bin/env node
import { readVersion } from '../../shared/version.ts';
import { runCli } from '../command/cli.ts';
import { systemIo } from '../command/system-io.ts';

// No top-level await, because modules loaded on demand can import code that the build places in this file.
const io = systemIo();
runCli(process.argv.slice(2), { ...io, version: readVersion }).then(async (code) => {
  await io.flush?.();
  // A token request that no call waits for would keep the process alive.
  process.exit(code);
});
