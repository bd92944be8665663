#!/usr/bin/env node
import { readVersion } from '../../shared/version.ts';
import { runCli } from '../command/cli.ts';
import { systemIo } from '../command/system.ts';

process.exitCode = await runCli(process.argv.slice(2), { ...systemIo(), version: readVersion });
