import { z } from 'zod';

/** A reply without human-readable texts. */
const reply = z.object({
  status: z.number(),
  /** Id of the rule that refused the request. */
  rule: z.string().optional(),
  /** Id of the sandbox's choice for undocumented behaviour. */
  choice: z.string().optional(),
  body: z.unknown(),
});

export type Reply = z.infer<typeof reply>;

const request = z.object({
  method: z.string(),
  /** Includes the query. */
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

export type Request = z.infer<typeof request>;

const step = z.union([
  z.object({ test: z.string(), request, reply }),
  z.object({ advance: z.number() }),
  z.object({ freeze: z.number() }),
]);

/** A request with its reply and the title of the test that sent it, or a change of the clock. */
export type Step = z.infer<typeof step>;

/** All steps of the tests with one sandbox. */
export const recorded = z.object({ options: z.record(z.string(), z.unknown()), steps: z.array(step) });

export type Recorded = z.infer<typeof recorded>;

/** A line of the recorder: a new sandbox, or one of its steps. */
export const recordedLine = z.union([
  z.object({ sandbox: z.number(), options: recorded.shape.options }),
  z.object({ sandbox: z.number(), step }),
]);

export type RecordedLine = z.infer<typeof recordedLine>;

/** Reads the comparable parts of a reply. */
export function readReply(status: number, headers: Headers, text: string): Reply {
  const rule = headers.get('x-sandbox-rule')?.split(';')[0];
  const choice = headers.get('x-sandbox-choice');
  const read: Reply = { status, body: withoutTexts(parse(text), status) };
  if (rule !== undefined) read.rule = rule;
  // Choices that shape a success show in its body.
  if (choice !== null && status >= 400) read.choice = choice;
  return read;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Messages of refusals are for people and may change. */
function withoutTexts(body: unknown, status: number): unknown {
  return status < 400
    ? body
    : JSON.parse(JSON.stringify(body), (key, value) => (key === 'message' ? undefined : value));
}
