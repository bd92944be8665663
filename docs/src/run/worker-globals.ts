/** Globals of the worker. Evaluated before its other modules. */

// Keep zod from compiling its checks, because the page's policy has no 'unsafe-eval'.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });

// Samples read their credentials from the environment. The sandbox accepts any.
Reflect.set(globalThis, 'process', { env: { CARILLON_API_KEY: 'any' } });

// Samples may only reach the sandbox. `fetch` is replaced when the sandbox is ready.
for (const name of ['XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'BroadcastChannel'])
  Reflect.deleteProperty(globalThis, name);

export {};
