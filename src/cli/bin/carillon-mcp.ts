#!/usr/bin/env node
import { useEnvironmentProxy } from '../../shared/environment-proxy.ts';
import { runMcp } from '../mcp/command.ts';

useEnvironmentProxy(process.env, (text) => process.stderr.write(text));
process.exitCode = await runMcp('carillon-mcp', process.argv.slice(2));
