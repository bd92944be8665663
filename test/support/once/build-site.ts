/** Builds the docs into the folder that its argument names, and prints what the build reports. */
import { buildSite } from '../../../scripts/docs/site.ts';

const [output] = process.argv.slice(2);
if (!output) throw new Error('It needs the folder of the site');
await buildSite({ output, report: (line) => console.log(line) });
