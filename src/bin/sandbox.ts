#!/usr/bin/env node
import { run } from './run.ts';

process.exitCode = await run('npx carillon-sandbox', process.argv.slice(2));
