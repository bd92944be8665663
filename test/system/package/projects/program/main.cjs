// CommonJS: `main.cjs <address of the mock>`. What require() gives has the same exports as the module that import gives.
const assert = require('node:assert/strict');
const carillon = require('carillon');
const { run } = require('./program.js');

async function main() {
  for (const entry of ['carillon', 'carillon/crm', 'carillon/messaging', 'carillon/email', 'carillon/paths']) {
    assert.deepEqual(Object.keys(require(entry)).sort(), Object.keys(await import(entry)).sort());
  }
  console.log((await run(carillon, process.argv[2])).join(' '));
}

main();
