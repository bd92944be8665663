#!/usr/bin/env node
import { useEnvironmentProxy } from '../../shared/environment-proxy.ts';
import { readVersion } from '../../shared/version.ts';
import { runCli } from '../command/cli.ts';
import { systemIo } from '../command/system.ts';

useEnvironmentProxy(process.env, (text) => process.stderr.write(text));
process.exitCode = await runCli(process.argv.slice(2), { ...systemIo(), version: readVersion });
