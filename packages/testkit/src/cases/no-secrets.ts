import { agentReader } from '@palimpsest/agents';
import {
  type CompressResult,
  isTextPart,
  type Message,
  type Part,
  readAnyHandoff,
  readHandoff,
} from '@palimpsest/core';
import fc from 'fast-check';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { createScriptedSummarizer, type ScriptedReply, writeShortSummary } from '../host/scripted-summarizer.ts';
import { arbitraryScenario, type Scenario, scenarioFor } from '../scenario.ts';
import { assistant, call, callsWithResults, system, user } from '../transcripts/message-builders.ts';
import { autonomousWork, chat } from '../transcripts/transcript-examples.ts';

interface SecretScenario extends Scenario {
  /** How the summarizer treats secrets: does not repeat them, repeats them, or fails with errors that quote them. */
  readonly writer: 'careful' | 'talkative' | 'failing';
}

export const noSecrets: CaseDefinition<SecretScenario> = {
  name: 'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
  examples({ secrets }) {
    const [secret] = secrets;
    if (secret === undefined) return [];
    const environment = `PATH=/usr/bin\nOPENAI_API_KEY=${secret}\n${'LANG=C\n'.repeat(400)}`;
    const spoken: Message[] = [
      system('You are a coding agent.'),
      user(`Use the token ${secret} for the deployment.`),
      ...callsWithResults([
        call('env', 'terminal', { command: `curl -H "Authorization: Bearer ${secret}" https://api.example.com` }),
        environment,
      ]),
      ...callsWithResults([call('read', 'read_file', { path: '.env' }), environment]),
      assistant(`I will use ${secret}.`),
      ...chat(10, 2_000).slice(1),
      user('What is left?'),
    ];
    const failing = [
      ...autonomousWork(3, 2_000),
      ...callsWithResults([call('e', 'terminal', { command: 'deploy' }), `Error: 401 for ${secret}\n${environment}`]),
      ...autonomousWork(14, 2_000).slice(2),
    ];
    return (['careful', 'talkative', 'failing'] as const).flatMap((writer) => [
      { name: `secrets everywhere, a ${writer} writer`, scenario: { ...scenarioFor(spoken, 0.3), writer } },
      { name: `a secret in an error line, a ${writer} writer`, scenario: { ...scenarioFor(failing, 0.3), writer } },
    ]);
  },
  arbitrary: (options) =>
    fc
      .tuple(arbitraryScenario(options), fc.constantFrom('careful' as const, 'talkative' as const, 'failing' as const))
      .map(([scenario, writer]) => ({ ...scenario, writer })),
  async check(scenario, { create, hostParts, secrets }) {
    const summarizer = createScriptedSummarizer(replyOf(scenario.writer, secrets));
    const fallbackSummarizer = createScriptedSummarizer(replyOf(scenario.writer, secrets), { id: 'main' });
    const tried = await attempt(create, scenario, { ...hostParts, summarizer, fallbackSummarizer });
    const look = (where: string, written: unknown): void => {
      const text = typeof written === 'string' ? written : (JSON.stringify(written) ?? '');
      secrets.forEach((secret, index) => {
        // Halves are searched too, because text may be cut within a secret.
        const half = secret.length >> 1;
        const found = text.includes(secret.slice(0, half)) || text.includes(secret.slice(half));
        ensure(!found, () => `planted secret ${index} is in ${where}`);
      });
    };
    for (const { prompt, material } of [...summarizer.calls, ...fallbackSummarizer.calls]) {
      look('a prompt to a summarizer', prompt);
      look('the material of a summarizer', material);
    }
    look('an event', tried.host.events);
    look('an error', tried.error instanceof Error ? [tried.error.message, { ...tried.error }] : tried.error);
    look('a snapshot', tried.engine.snapshot());
    look('the status', tried.engine.status());
    if (!tried.result) return;
    look('the report', tried.result.report);
    for (const edit of tried.result.edits) look('the reasons of an edit', edit.reasons);
    lookAtWritten(tried.result, scenario.messages, look);
  },
};

function replyOf(writer: SecretScenario['writer'], secrets: readonly string[]): ScriptedReply {
  if (writer === 'careful') return writeShortSummary;
  if (writer === 'failing')
    return { failure: 'status', status: 500, message: `upstream failed for ${secrets.join(' ')}` };
  return (request) => `${writeShortSummary(request)}\n\nThe token is ${secrets.join(' and ')}.`;
}

/** Checks the text an engine wrote: insertions without the messages they carry verbatim, and stubs of tool results. */
function lookAtWritten(
  { messages, provenance }: CompressResult<Message>,
  input: readonly Message[],
  look: (where: string, written: unknown) => void,
): void {
  const carried = new Map<number, string[]>();
  provenance.source.forEach((outcome, index) => {
    if (outcome.kind === 'carried')
      carried.set(outcome.at, [...(carried.get(outcome.at) ?? []), ...textsOf(ownContent(input[index]!))]);
  });
  provenance.output.forEach((origin, index) => {
    const message = messages[index] as Message;
    if (origin.kind === 'inserted') {
      const handoff = readHandoff(message);
      if (handoff) look(`the handoff in message ${index} of the output`, handoff.body);
      let rest = JSON.stringify(handoff ? handoff.rest : message.content);
      for (const text of carried.get(index) ?? []) rest = rest.replace(JSON.stringify(text).slice(1, -1), () => '');
      look(`inserted message ${index} of the output`, rest);
    } else if (origin.kind === 'rewritten' && message.content !== input[origin.from]!.content) {
      const kept = new Set(textsOf(input[origin.from]!.content));
      const stays = Array.isArray(message.content);
      for (const text of textsOf(message.content))
        if (!stays || !kept.has(text)) look(`the stub in message ${index} of the output`, text);
    }
  });
}

function ownContent(message: Message): Message['content'] {
  const handoff = readAnyHandoff(message, agentReader);
  return handoff ? handoff.rest : message.content;
}

function textsOf(content: Message['content']): string[] {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? (content as readonly Part[]).filter(isTextPart).map((part) => part.text) : [];
}
