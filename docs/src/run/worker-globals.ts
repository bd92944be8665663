/** Globals of the worker, before any other module of it is evaluated. */

// zod must not compile its checks: the policy of the page has no 'unsafe-eval'.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });

// Samples read their credentials from the environment. The sandbox accepts any.
Reflect.set(globalThis, 'process', { env: { CARILLON_API_KEY: 'any' } });

// Samples reach the sandbox only. `fetch` is replaced when it is ready.
for (const name of ['XMLHttpRequest', 'WebSocket', 'WebTransport', 'EventSource', 'BroadcastChannel'])
  Reflect.deleteProperty(globalThis, name);

export {};
