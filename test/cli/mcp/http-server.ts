import { spawn } from 'node:child_process';
import { once as event } from 'node:events';

/** Path of the built command, from the repository root. */
export const command = 'src/cli/dist/bin/carillon-mcp.js';

/**
 * Starts the built command over HTTP with a sandbox, in a process as the tools of others find it.
 *
 * @param folder - for its configuration, such as its token
 */
export async function startMcpServer(
  folder: string,
  ...options: string[]
): Promise<{ url: string; close(): Promise<unknown> }> {
  const child = spawn(process.execPath, [command, '--http', '--sandbox', '--port', '0', ...options], {
    env: { ...process.env, XDG_CONFIG_HOME: folder },
  });
  for await (const chunk of child.stderr) {
    const [url] = /http:\S+/.exec(String(chunk)) ?? [];
    if (url === undefined) continue;
    return {
      url,
      close() {
        child.kill();
        return event(child, 'close');
      },
    };
  }
  throw new Error('The command ended');
}
