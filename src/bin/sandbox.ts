#!/usr/bin/env node
import { run } from './run.ts';

process.exitCode = await run('carillon-sandbox', process.argv.slice(2));
