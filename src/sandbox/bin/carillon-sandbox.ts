#!/usr/bin/env node
import { runSandbox } from '../command/command.ts';

process.exitCode = await runSandbox('carillon-sandbox', process.argv.slice(2));
