// CommonJS: `main.cjs <address of the mock>`. What require() gives is the module that import gives.
const assert = require('node:assert/strict');
const carillon = require('carillon');
const { run } = require('./program.js');

async function main() {
  for (const entry of ['carillon', 'carillon/crm', 'carillon/messaging', 'carillon/email', 'carillon/paths']) {
    assert.equal(require(entry), await import(entry));
  }
  console.log((await run(carillon, process.argv[2])).join(' '));
}

main();
