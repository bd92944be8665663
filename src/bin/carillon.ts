#!/usr/bin/env node
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../cli/run.ts';
import { systemIo } from '../cli/system.ts';
import { readVersion } from './version.ts';

const file = fileURLToPath(import.meta.url);
process.exitCode = await runCli(process.argv.slice(2), { ...systemIo(dirname(file), file), version: readVersion });
