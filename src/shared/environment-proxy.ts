import http from 'node:http';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Lets all requests of a command go through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name. Node does it by itself if
 * it is asked to; older ones only when they start.
 *
 * @param warn - receives a sentence if this Node cannot do it any more
 */
export function useEnvironmentProxy(env: Environment, warn: (text: string) => void): void {
  const isGiven = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => env[name]);
  if (!isGiven || env.NODE_USE_ENV_PROXY === '1') return;
  const set: unknown = Reflect.get(http, 'setGlobalProxyFromEnv');
  if (typeof set === 'function') set(env);
  else {
    warn(
      `The proxy of the environment is not used, because Node ${process.version} reads it only when it starts: set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer).\n`,
    );
  }
}
