#!/usr/bin/env node
import { readVersion } from '../../shared/version.ts';
import { runCli } from '../command/cli.ts';
import { systemIo } from '../command/system-io.ts';

// No top-level await, because modules loaded on demand can import code that the build places in this file.
runCli(process.argv.slice(2), { ...systemIo(), version: readVersion }).then((code) => {
  process.exitCode = code;
});
