import { toolClass } from '@palimpsest/agents';
import type { Applied, Message, MessageOutcome } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { RoleLook } from '@palimpsest/eval/page/palette';
import { toolUses } from './tool-use.ts';

/** Labels for message outcomes, shared by both pages. */
export const outcomeWords: Readonly<Record<MessageOutcome['kind'], string>> = {
  kept: 'kept',
  rewritten: 'stubbed or shortened',
  carried: 'kept inside the handoff',
  summarized: 'summarized',
  dropped: 'dropped',
};

/** A message of the input, as drawn in a strip. */
export interface SourceBlock {
  readonly tokens: number;
  readonly look: RoleLook;
  /** The tool whose result it is. */
  readonly tool: string | null;
}

/** An input message and its outcome under one engine. */
export interface OutcomeBlock {
  readonly tokens: number;
  readonly look: MessageOutcome['kind'];
  /** The fraction of its tokens that remains in place, 0 to 1. */
  readonly left: number;
  /** Index in the output of the message, or of the message that contains it; `null` if it was dropped. */
  readonly at: number | null;
  /** Readable reasons for the outcome. */
  readonly notes: readonly string[];
}

/** A message of an engine's output, as drawn in a strip. */
export interface OutputBlock {
  readonly tokens: number;
  readonly look: RoleLook;
  /** The source messages `[from, to)` it equals or replaces; empty if it replaces none. */
  readonly from: number;
  readonly to: number;
}

/** The blocks of the input, one for each message. */
export function sourceBlocks({ messages, tokens }: Pick<Sample, 'messages' | 'tokens'>): readonly SourceBlock[] {
  const tools = new Map(toolUses(messages).map((use) => [use.resultAt, use.tool]));
  return messages.map((message, index) => ({
    tokens: tokens.countMessage(message),
    look: roleLook(message),
    tool: tools.get(index) ?? null,
  }));
}

/** The messages by what they show of an engine: by size, but the output of commands, such as a run of tests, comes last. */
export function readingOrder(blocks: readonly SourceBlock[]): readonly number[] {
  const isOutput = ({ tool }: SourceBlock): number => Number(tool !== null && toolClass(tool) === 'command');
  return blocks
    .map((block, at) => ({ at, tokens: block.tokens, isOutput: isOutput(block) }))
    .sort((a, b) => a.isOutput - b.isOutput || b.tokens - a.tokens)
    .map(({ at }) => at);
}

/** The blocks of the input by outcome, one for each message. */
export function outcomeBlocks(
  { messages, tokens }: Pick<Sample, 'messages' | 'tokens'>,
  result: Applied<Message>,
): readonly OutcomeBlock[] {
  const written = new Map<number, number>();
  result.provenance.output.forEach((origin, at) => {
    if (origin.kind === 'inserted' && !written.has(origin.edit)) written.set(origin.edit, at);
  });
  return messages.map((message, index) => {
    const outcome = result.provenance.source[index]!;
    const before = tokens.countMessage(message);
    const at = 'at' in outcome ? outcome.at : (written.get(outcome.edit) ?? null);
    const isInPlace = outcome.kind === 'kept' || outcome.kind === 'rewritten';
    const after = isInPlace ? tokens.countMessage(result.messages[outcome.at] as Message) : 0;
    return {
      tokens: before,
      look: outcome.kind,
      left: outcome.kind === 'carried' || before === 0 ? 1 : Math.min(1, after / before),
      at: outcome.kind === 'dropped' ? null : at,
      notes: outcome.kind === 'kept' ? [] : outcome.reasons.map((reason) => reason.note ?? reason.code),
    };
  });
}

/** The blocks of the output, one for each message. */
export function outputBlocks({ tokens }: Pick<Sample, 'tokens'>, result: Applied<Message>): readonly OutputBlock[] {
  return result.messages.map((message, at) => {
    const origin = result.provenance.output[at]!;
    const inserted = origin.kind === 'inserted';
    return {
      tokens: tokens.countMessage(message as Message),
      look: inserted ? 'inserted' : roleLook(message as Message),
      from: inserted ? origin.covers.from : origin.from,
      to: inserted ? origin.covers.to : origin.from + 1,
    };
  });
}

/** The look of a message by its role. */
export function roleLook({ role }: Message): RoleLook {
  if (role === 'developer') return 'system';
  return role === 'function' ? 'tool' : role;
}
