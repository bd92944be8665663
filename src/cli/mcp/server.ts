import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../shared/is-record.ts';
import type { Effect } from '../catalogue/index.ts';
import { consentMilliseconds } from './consent.ts';
import type { Context } from './context.ts';
import { describeMethods, findMethods } from './describe.ts';
import { writeInstructions } from './instructions.ts';
import { type Dialogue, invoke, type Outcome } from './invoke.ts';
import { permittedMethods } from './policy.ts';
import { answerKey, answerSchema } from './question.ts';
import { type View, writeReply } from './result.ts';
import type { Programs } from './run/programs.ts';
import { type CallInput, callTools, type DescribeInput, describeTool, type RunInput, runTool } from './tools.ts';

/**
 * Creates the server of one connection, or of one request.
 *
 * @param programs - runs programs, if the person who started the server permits it
 */
export function createServer(context: Context, programs?: Programs): McpServer {
  const { policy, sandbox, mask, version } = context;
  const server = new McpServer(
    { name: 'carillon', version },
    {
      instructions: writeInstructions(policy, sandbox !== undefined),
      inputRequired: { maxRounds: 100, roundTimeoutMs: consentMilliseconds },
    },
  );
  const finish = (outcome: Outcome, view: View): CallToolResult | InputRequiredResult => {
    if (outcome.kind === 'question') return ask(outcome.id, mask.apply(outcome.message));
    const reply = outcome.kind === 'reply' && writeReply(outcome.method, outcome.reply, view);
    const text = outcome.kind === 'reply' ? [outcome.note, reply].filter(Boolean).join('\n') : outcome.text;
    return {
      content: [{ type: 'text', text: mask.apply(text) }],
      ...(outcome.kind === 'failure' && { isError: true }),
    };
  };

  server.registerTool('describe', describeTool, async ({ methods = [], method, words }: DescribeInput) => {
    const found = words === undefined ? '' : findMethods(words, policy);
    const text = [found, describeMethods(method === undefined ? methods : [method, ...methods], policy)]
      .filter(Boolean)
      .join('\n\n');
    return { content: [{ type: 'text', text: text || 'Give methods, or words to find some.' }] };
  });
  const effects = new Set(permittedMethods(policy).map(({ effect }) => effect));
  for (const effect of ['read', 'write', 'delete', 'send'] as const satisfies Effect[]) {
    if (!effects.has(effect)) continue;
    server.registerTool(effect, callTools[effect], async (input: CallInput, request: ServerContext) =>
      finish(await invoke(context, input, [effect], dialogueOf(server, request)), input),
    );
  }
  if (programs) {
    server.registerTool('run', runTool(programs.effects), async ({ program }: RunInput, request: ServerContext) =>
      finish(await programs.run(context, program, dialogueOf(server, request)), {}),
    );
  }
  return server;
}

/** A question in the form of both protocol versions: the package turns it into what the client speaks. */
function ask(id: string, message: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [answerKey]: inputRequired.elicit({ mode: 'form', message, requestedSchema: answerSchema }) },
    requestState: id,
  });
}

function dialogueOf(server: McpServer, { mcpReq }: ServerContext): Dialogue {
  return {
    canAsk: canAsk(declaredIn(mcpReq.envelope) ?? server.server.getClientCapabilities()),
    question: mcpReq.requestState<string>(),
    answer: mcpReq.inputResponses?.[answerKey],
    signal: mcpReq.signal,
  };
}

/** What a client of the newer version can do is in each of its requests. */
function declaredIn(envelope: object | undefined): unknown {
  return envelope && Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY);
}

/** Whether a client can show a form. An empty capability means forms, as before there were others. */
function canAsk(capabilities: unknown): boolean {
  const asking = isRecord(capabilities) ? capabilities.elicitation : undefined;
  return isRecord(asking) && (asking.form !== undefined || asking.url === undefined);
}
