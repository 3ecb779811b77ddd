import { agentReader } from '@palimpsest/agents';
import { contentText, type Message, type Role, validateTranscript } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { type ToolUse, toolUses } from '../strips/tool-use.ts';

/** Tool results made redundant by a later result. */
interface StaleResults {
  /** `duplicate`: a later result has the same text. `repeated`: the same call was made again later, with another result. */
  readonly kind: 'duplicate' | 'repeated';
  readonly results: number;
  readonly tokens: number;
}

/** Minimum length in characters. A shorter result costs less than the stub that would replace it. */
const minResultLength = 200;

/** Token usage of a transcript, as `inspect --json` prints it. All token figures are estimates. */
export interface Inspection {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly messages: number;
  readonly tokens: number;
  readonly overheadTokens: number;
  readonly byRole: readonly RoleShare[];
  /** Largest first. */
  readonly byTool: readonly ToolShare[];
  /** The largest messages, largest first. */
  readonly largest: readonly LargeMessage[];
  readonly stale: readonly StaleResults[];
  /** The messages `[from, to)` of the current task, or `null`. */
  readonly task: { readonly from: number; readonly to: number } | null;
  /** What a provider would reject. */
  readonly violations: readonly { readonly index: number; readonly rule: string; readonly reason: string }[];
}

/** The messages of one role, and their tokens. */
export interface RoleShare {
  readonly role: Role;
  readonly messages: number;
  readonly tokens: number;
}

/** The calls of one tool, and their tokens. */
export interface ToolShare {
  readonly tool: string;
  readonly calls: number;
  /** Tokens of the call arguments. */
  readonly inputTokens: number;
  readonly resultTokens: number;
}

/** One of the largest messages. */
export interface LargeMessage {
  /** Index in the array, from 0. Displayed numbers start at 1. */
  readonly index: number;
  readonly role: Role;
  /** The tool whose result it is. */
  readonly tool: string | null;
  readonly tokens: number;
  /** The first characters of its text. */
  readonly beginning: string;
}

/** @param top how many of the largest messages to list */
export function inspectSample(sample: Sample, top: number): Inspection {
  const { found, messages, tokens } = sample;
  const transcript = Transcript.of(messages, tokens, { reader: agentReader });
  const uses = toolUses(messages);
  const toolAt = new Map(uses.map((use) => [use.resultAt, use.tool]));
  const order = messages.map((_, index) => index).sort((a, b) => transcript.tokens(b) - transcript.tokens(a) || a - b);
  return {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: sample.promptTokens,
    overheadTokens: sample.overheadTokens,
    byRole: byRole(transcript),
    byTool: byTool(transcript, uses),
    largest: order.slice(0, top).map((index) => ({
      index,
      role: messages[index]!.role,
      tool: toolAt.get(index) ?? null,
      tokens: Math.round(transcript.tokens(index)),
      beginning: beginning(messages[index]!),
    })),
    stale: staleResults(transcript, uses),
    task: transcript.task,
    violations: validateTranscript(messages, dialectOf(sample)).map(({ index, rule, reason }) => ({
      index,
      rule,
      reason,
    })),
  };
}

function byRole(transcript: Transcript): RoleShare[] {
  const shares = new Map<Role, { messages: number; tokens: number }>();
  transcript.messages.forEach(({ role }, index) => {
    const share = shares.get(role) ?? { messages: 0, tokens: 0 };
    shares.set(role, { messages: share.messages + 1, tokens: share.tokens + transcript.tokens(index) });
  });
  return [...shares]
    .map(([role, share]) => ({ role, messages: share.messages, tokens: Math.round(share.tokens) }))
    .sort((a, b) => b.tokens - a.tokens);
}

function byTool(transcript: Transcript, uses: readonly ToolUse[]): ToolShare[] {
  const shares = new Map<string, { calls: number; inputTokens: number; resultTokens: number }>();
  for (const { tool, input, resultAt } of uses) {
    const share = shares.get(tool) ?? { calls: 0, inputTokens: 0, resultTokens: 0 };
    shares.set(tool, share);
    share.calls++;
    share.inputTokens += transcript.counter.countText(input);
    if (resultAt !== null) share.resultTokens += transcript.tokens(resultAt);
  }
  return [...shares]
    .map(([tool, { calls, inputTokens, resultTokens }]) => ({
      tool,
      calls,
      inputTokens: Math.round(inputTokens),
      resultTokens: Math.round(resultTokens),
    }))
    .sort((a, b) => b.inputTokens + b.resultTokens - a.inputTokens - a.resultTokens);
}

/** The start of the text, or the tool names if the message only calls tools. */
function beginning(message: Message): string {
  const text = contentText(message.content).trim();
  if (text !== '') return redactText(text.slice(0, 20_000)).slice(0, 200);
  const names = toolUses([message]).map((use) => use.tool);
  return names.length > 0 ? `calls ${names.join(', ')}` : '';
}

/** Finds stale results by equal texts and equal calls, without knowledge of specific tools. */
function staleResults(transcript: Transcript, uses: readonly ToolUse[]): readonly StaleResults[] {
  const texts = new Set<string>();
  const calls = new Set<string>();
  const duplicate = { kind: 'duplicate' as const, results: 0, tokens: 0 };
  const repeated = { kind: 'repeated' as const, results: 0, tokens: 0 };
  for (const { tool, input, resultAt } of uses.toReversed()) {
    if (resultAt === null) continue;
    const text = contentText(transcript.messages[resultAt]!.content);
    const call = JSON.stringify([tool, input]);
    const stale = texts.has(text) ? duplicate : calls.has(call) ? repeated : null;
    if (stale && text.length >= minResultLength) {
      stale.results++;
      stale.tokens += Math.round(transcript.tokens(resultAt));
    }
    texts.add(text);
    calls.add(call);
  }
  return [duplicate, repeated].filter((stale) => stale.results > 0);
}
