#!/usr/bin/env node
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../command/run.ts';
import { systemIo } from '../command/system.ts';
import { readVersion } from '../../shared/version.ts';

const file = fileURLToPath(import.meta.url);
process.exitCode = await runCli(process.argv.slice(2), { ...systemIo(dirname(file), file), version: readVersion });
