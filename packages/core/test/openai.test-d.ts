import type OpenAI from 'openai';
import type { ChatCompletionMessage, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Plan } from '../src/authoring.ts';
import { groupMessages, plainReader } from '../src/authoring.ts';
import type { ContextEngine, Edit, Inserted, InsertedMessage, Message, RewriteEdit } from '../src/index.ts';
import { apply, contentWithoutHandoff, repairToolPairs, validateTranscript } from '../src/index.ts';

// Only compiled. Shows what the types allow for users of the `openai` package, and what they reject.
declare const client: OpenAI;
declare const engine: ContextEngine;
declare const reply: ChatCompletionMessage;

/** The client's message type is accepted, and the result can be sent in the next request. */
export async function unionGoesThrough(history: ChatCompletionMessageParam[]): Promise<void> {
  const { messages, outcome, report } = await engine.compress(history, { targetTokens: 8_000 });
  const back: readonly ChatCompletionMessageParam[] = messages;
  await client.chat.completions.create({ model: 'gpt-5', messages: [...messages] });
  const before: number = report.tokensBefore;
  void [back, before, outcome === 'compacted'];
}

/** Literals and messages that the client returned are accepted, too. */
export async function literalsGoThrough(): Promise<void> {
  const history: ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'developer', content: [{ type: 'text', text: 'Never push.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      ],
      name: 'ada',
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'text' },
    { role: 'assistant', tool_calls: [{ id: 'b', type: 'custom', custom: { name: 'patch', input: '***' } }] },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'ok' }] },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
    { role: 'function', name: 'weather', content: null },
    reply,
  ];
  const { messages } = await engine.compress(history);
  const back: readonly ChatCompletionMessageParam[] = messages;

  const narrow = await engine.compress([
    { role: 'user' as const, content: 'hello' },
    {
      role: 'assistant' as const,
      content: 'hi',
      tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } }],
    },
  ]);
  await client.chat.completions.create({ model: 'gpt-5', messages: [...narrow.messages] });

  const constant = [{ role: 'user', content: 'hello' }] as const;
  const fromConstant = await engine.compress(constant);
  void [back, fromConstant.messages.length];
}

/** The plain functions accept the client's messages, too. */
export function functionsTakeThem(history: readonly ChatCompletionMessageParam[], edits: readonly Edit[]): void {
  const applied: readonly ChatCompletionMessageParam[] = apply(history, edits).messages;
  const repaired: readonly ChatCompletionMessageParam[] = repairToolPairs(history).messages;
  const first: ChatCompletionMessageParam | undefined = repaired[0];
  void [
    applied,
    first,
    groupMessages(history),
    validateTranscript(history, { dialect: 'strict' }),
    contentWithoutHandoff(history[0]!, plainReader),
  ];
}

/** A caller's own fields stay in the type. */
export async function ownFieldsSurvive(
  history: readonly (ChatCompletionMessageParam & { id: string })[],
): Promise<void> {
  const { messages } = await engine.compress(history);
  for (const message of messages) if ('id' in message) void message.id.toUpperCase();
}

/** A message that an engine inserts has the provider's type. */
export const insertedIsOpenAi: (inserted: InsertedMessage) => ChatCompletionMessageParam = (inserted) => inserted;

export async function misuseIsStopped(history: ChatCompletionMessageParam[]): Promise<void> {
  const { messages, report } = await engine.compress(history);
  // @ts-expect-error the result is read-only
  messages.push({ role: 'user', content: 'more' });
  // @ts-expect-error an inserted message does not have this field
  void messages[0]!.tool_call_id;
  // @ts-expect-error a report is read-only
  report.tokensAfter = 0;
  // @ts-expect-error one message is not a transcript
  await engine.compress(history[0]);
  // @ts-expect-error an unknown role
  await engine.compress([{ role: 'critic', content: 'x' }]);
  // @ts-expect-error text is not a transcript
  await engine.compress('x');
  // @ts-expect-error an unknown effort
  await engine.compress(history, { effort: 'maximum' });
  // @ts-expect-error a target is a number of tokens
  await engine.compress(history, { targetTokens: '8k' });
  // @ts-expect-error a misspelt field
  await engine.compress(history, { focus: 'tests' });
  // @ts-expect-error an unknown dialect
  validateTranscript(history, { dialect: 'gemini' });
  // @ts-expect-error a call needs its arguments
  const call: Message = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] };
  // @ts-expect-error a plan refers to messages by index, it does not contain them
  const inserted: Inserted = { role: 'user', content: 'x' };
  // @ts-expect-error an edit cannot change the role
  const rewrite: RewriteEdit = { kind: 'rewrite', at: 0, set: { role: 'user' }, reasons: [] };
  // @ts-expect-error an edit can only remove reasoning
  const reasoning: RewriteEdit['set'] = { reasoning_content: 'x' };
  // @ts-expect-error only core sets this field
  const plan: Plan<null> = { edits: [], state: null, outcome: 'compacted' };
  // @ts-expect-error messages of a transcript are read-only
  (history as readonly Message[])[0]!.content = 'x';
  void [call, inserted, rewrite, reasoning, plan];
}
