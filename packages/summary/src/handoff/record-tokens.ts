import { readToolName, toolClass } from '@palimpsest/agents';
import { type EngineHost, hasToolCalls, toolCallName, toolCalls } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { rulesOf } from '../work-record/rules/read-rules.ts';
import { userWords } from '../work-record/user-messages/user-words.ts';
import { minRuleTokens } from './record.ts';
import { ruleItem } from './rule-item.ts';

/** Estimated tokens in a handoff of a user's message, an answer at the end of a turn, and a changed file. */
const messageTokens = 26;
const answerTokens = 22;
const changeTokens = 8;
/** Estimated tokens of a command, which may change a file or have a verdict. */
const commandTokens = 2;
/** Maximum share of the room for all of these together. */
const maxShare = 0.25;

/**
 * Estimates the tokens that a handoff needs for each summarized message: rules, messages of the user, answers, changed
 * files. Engines add them to the tokens of the handoff when they choose which messages to summarize. Linear time.
 * @param roomTokens tokens that a target leaves for handoff, head and tail
 * @returns tokens by message index
 */
export function recordTokens(transcript: Transcript, host: EngineHost, roomTokens: number): Float64Array {
  const tokens = listTokens(transcript);
  const all = tokens.reduce((sum, one) => sum + one, 0);
  const scale = Math.min(1, (roomTokens * maxShare) / Math.max(1, all));
  for (let at = 0; at < tokens.length; at++) tokens[at]! *= scale;
  let left = minRuleTokens;
  const said = userWords(transcript, host).filter(({ carried }) => !carried);
  for (const rule of rulesOf(said, transcript, host)) {
    const cost = host.tokens.countText(ruleItem(rule)) + 2;
    if (cost > left) continue;
    tokens[rule.index]! += cost;
    left -= cost;
  }
  return tokens;
}

function listTokens(transcript: Transcript): Float64Array {
  const { messages, task } = transcript;
  const tokens = new Float64Array(transcript.length);
  messages.forEach((message, at) => {
    if (task && at >= task.from && at < task.to) return;
    if (transcript.isFromPerson(at)) tokens[at] = messageTokens;
    if (message.role !== 'assistant') return;
    if (!hasToolCalls(message) && at + 1 < messages.length && transcript.isFromPerson(at + 1))
      tokens[at] = answerTokens;
    for (const call of toolCalls(message)) {
      const kind = toolClass(readToolName(toolCallName(call)).tool);
      tokens[at]! += kind === 'command' ? commandTokens : kind === 'write' ? changeTokens : 0;
    }
  });
  return tokens;
}
