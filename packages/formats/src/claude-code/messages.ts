import { jsonText } from '@palimpsest/core/authoring';
import type { AnthropicBlock, AnthropicMessage } from '../anthropic/conversation.ts';
import { asBlocks } from '../assemble.ts';
import { fieldsOf } from '../record.ts';
import type { Entry } from './entry.ts';

/** An answer of the model under construction, and the answers of the tools it called. */
interface LoggedAnswer {
  readonly said: AnthropicBlock[];
  /** The blocks of `said` as JSON, to detect blocks that some versions repeat. Created with the second line of the answer. */
  known: Set<string> | null;
  readonly results: AnthropicBlock[];
  /** Other blocks of the user message with the results. They follow the results. */
  readonly beside: AnthropicBlock[];
}

/**
 * Joins lines into messages: the blocks of one message id into one assistant message, and the results of its calls into one
 * user message after it, in whatever order the lines were written.
 * @param skip called with the reason for lines that only repeat other lines
 */
export function messagesOf(entries: readonly Entry[], skip: (reason: string) => void): readonly AnthropicMessage[] {
  const order: (AnthropicMessage | LoggedAnswer)[] = [];
  const answers = new Map<string, LoggedAnswer>();
  const callers = new Map<string, LoggedAnswer>();
  const answered = new Set<string>();
  const open = (messageId: string | null): LoggedAnswer => {
    const known = messageId === null ? undefined : answers.get(messageId);
    if (known) return known;
    const answer: LoggedAnswer = { said: [], known: null, results: [], beside: [] };
    order.push(answer);
    if (messageId !== null) answers.set(messageId, answer);
    return answer;
  };
  for (const { kind, content, messageId } of entries) {
    if (kind === 'assistant') {
      const answer = open(messageId);
      for (const block of newBlocks(answer, asBlocks(content))) {
        answer.said.push(block);
        if (block.type === 'tool_use') callers.set(String(fieldsOf(block).id), answer);
      }
    } else if (kind === 'results') {
      const orphans = addResults(asBlocks(content), callers, answered, skip);
      if (orphans.length > 0) order.push({ role: 'user', content: orphans });
    } else if (typeof content === 'string' ? content.trim() !== '' : content.length > 0)
      order.push({ role: 'user', content });
  }
  return alternating(order.flatMap((item) => ('role' in item ? [item] : toMessages(item))));
}

/** Joins adjacent user messages, because roles must alternate. */
function alternating(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const output: AnthropicMessage[] = [];
  let joined: AnthropicBlock[] | null = null;
  for (const message of messages) {
    const last = output.at(-1);
    if (last?.role !== 'user' || message.role !== 'user') {
      output.push(message);
      joined = null;
      continue;
    }
    if (!joined) {
      joined = [...asBlocks(last.content)];
      output[output.length - 1] = { role: 'user', content: joined };
    }
    for (const block of asBlocks(message.content)) joined.push(block);
  }
  return output;
}

function newBlocks(answer: LoggedAnswer, blocks: readonly AnthropicBlock[]): readonly AnthropicBlock[] {
  if (answer.said.length === 0) return blocks;
  const known = (answer.known ??= new Set(answer.said.map((block) => jsonText(block))));
  return blocks.filter((block) => {
    const text = jsonText(block);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/** Adds results to their calls. @returns the blocks of no known call */
function addResults(
  blocks: readonly AnthropicBlock[],
  callers: ReadonlyMap<string, LoggedAnswer>,
  answered: Set<string>,
  skip: (reason: string) => void,
): readonly AnthropicBlock[] {
  const orphans: AnthropicBlock[] = [];
  let caller: LoggedAnswer | undefined;
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      (caller?.beside ?? orphans).push(block);
      continue;
    }
    const id = String(fieldsOf(block).tool_use_id);
    caller = callers.get(id);
    if (!caller) orphans.push(block);
    else if (answered.has(id)) skip('repeated');
    else caller.results.push(block);
    answered.add(id);
  }
  return orphans;
}

function toMessages({ said, results, beside }: LoggedAnswer): AnthropicMessage[] {
  const answer = [...results, ...beside];
  return [
    ...(said.length > 0 ? [{ role: 'assistant', content: said } as const] : []),
    ...(answer.length > 0 ? [{ role: 'user', content: answer } as const] : []),
  ];
}
