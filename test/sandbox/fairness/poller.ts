/**
 * A process that reads a deal again and again with the key `victim`: `node poller.ts <url>`. On a message, it answers with the
 * milliseconds of its reads since the last one. A process of its own measures the waits that the server causes, and no others.
 */
const [, , url = ''] = process.argv;
let times: number[] = [];

process.on('message', () => {
  process.send?.(times);
  times = [];
});
process.on('disconnect', () => process.exit());

for (;;) {
  const begun = performance.now();
  const { status, body } = await fetch(`${url}/crm/v1/deals/501`, { headers: { authorization: 'Bearer victim' } });
  if (status !== 200) throw new Error(`The poller got status ${status}`);
  await body?.pipeTo(new WritableStream());
  times.push(performance.now() - begun);
}
