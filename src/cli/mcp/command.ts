import { isCarillonError } from 'carillon';
import { behindName, runCommand } from '../../shared/command-line.ts';
import { CredentialsError, inTerminal } from '../../shared/credentials.ts';
import { messageOf } from '../../shared/message-of.ts';
import { ListenError } from '../../shared/server/listen-error.ts';
import { serve } from '../../shared/server/serve.ts';
import { closeOnSignal } from '../../shared/server/signals.ts';
import { readVersion } from '../../shared/version.ts';
import { type McpFlags, type McpOptions, mcpCommand, readMcpOptions } from './options.ts';

/**
 * Serves agents until the client disconnects or a signal stops the server.
 *
 * @param command - the command as a user types it, without options
 * @returns the exit code: 2 after a usage error, 3 without credentials
 */
export function runMcp(command: string, args: string[]): Promise<number> {
  return runCommand<McpFlags>(mcpCommand(command), args, async (flags) => {
    const options = readMcpOptions(flags);
    try {
      await start(options);
      return 0;
    } catch (error) {
      const reason = messageOf(error);
      if (isCarillonError(error, 'ConfigError') || error instanceof CredentialsError) {
        console.error(behindName(command, inTerminal(reason)));
        return 3;
      }
      const isExpected = error instanceof ListenError || isCarillonError(error);
      console.error(behindName(command, isExpected ? reason : `the server could not start: ${reason}`));
      return 1;
    }
  });
}

async function start({ http, token, port, host, sandbox, readOnly, allow, maxPeople }: McpOptions): Promise<void> {
  const { createContext } = await import('./context.ts');
  // Standard output belongs to the protocol.
  const warn = (text: string): void => console.error(text);
  const context = await createContext({
    policy: { readOnly, allow, maxPeople },
    sandbox,
    warn,
    version: readVersion(),
  });
  const onerror = (error: Error): void => warn(context.mask.apply(error.message));
  if (!http) {
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    const { createServer } = await import('./server.ts');
    const { createSession } = await import('./session.ts');
    const session = createSession();
    const handle = serveStdio(() => createServer(context, session), { onerror });
    closeOnSignal(handle);
    return;
  }
  const { createHttpHandler, endpoint } = await import('./http.ts');
  const { readToken, tokenFile } = await import('./http-token.ts');
  const file = token === 'none' ? undefined : token === 'default' ? tokenFile() : token.file;
  const secret = file === undefined ? undefined : readToken(file);
  if (secret !== undefined) context.mask.add(secret);
  const handler = createHttpHandler(context, secret);
  const server = await serve(handler, { port, host, maxBodySize: 4 * 1024 * 1024, isOpen: false });
  closeOnSignal({ close: () => server.close().finally(() => handler.close()) });
  console.error(
    `The server for agents is at ${server.url}${endpoint}\n${file === undefined ? 'Every program on this machine can use the server.' : `Clients send the header Authorization: Bearer <token>, with the token in ${file}.`}\nCalls go to ${context.where}. Press Ctrl+C to stop the server.`,
  );
}
