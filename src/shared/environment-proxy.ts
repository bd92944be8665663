import { CredentialsError } from './private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sends all requests of a command through the proxy set by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Loads undici on demand,
 * because only Node 24.14 and newer support this natively.
 *
 * @throws `CredentialsError` if a variable is not a proxy address
 */
export async function useEnvironmentProxy(env: Environment): Promise<void> {
  const httpProxy = proxyOf(env, 'http_proxy');
  const httpsProxy = proxyOf(env, 'https_proxy');
  if (httpProxy === undefined && httpsProxy === undefined) return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  const noProxy = env.no_proxy || env.NO_PROXY;
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      ...(httpProxy && { httpProxy }),
      ...(httpsProxy && { httpsProxy }),
      ...(noProxy && { noProxy }),
    }),
  );
}

function proxyOf(env: Environment, name: 'http_proxy' | 'https_proxy'): string | undefined {
  const address = env[name] || env[name.toUpperCase()];
  if (!address) return undefined;
  const isAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  // Do not quote the address, which can contain a password.
  if (!isAddress)
    throw new CredentialsError(`${name.toUpperCase()} must be a proxy address such as http://proxy.example.com:3128.`);
  return address;
}
