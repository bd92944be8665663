#!/usr/bin/env node
import { runSandbox } from './sandbox-command.ts';

process.exitCode = await runSandbox('npx carillon-sandbox', process.argv.slice(2));
