import { contentText, type Message } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { arbitraryScenario, type Scenario, scenarioFor } from '../scenario.ts';
import { harnessTexts } from '../transcripts/harness-text.ts';
import { user } from '../transcripts/message-builders.ts';
import { autonomousWork } from '../transcripts/transcript-examples.ts';

/**
 * Many chat templates (Gemma 2, Llama 3, Phi-3, Qwen3) and some servers accept only string contents. If a caller sends
 * only strings, the engine must return only strings.
 */
export const stringContentKept: CaseDefinition = {
  name: 'strings in, strings out: if every input content is a string, so is every output content',
  examples: () =>
    harnessTexts.map((harness, index) => ({
      name: `harness text ${index} at the start of the tail`,
      scenario: scenarioFor(
        asStrings([...autonomousWork(14, 2_000), user(harness), ...autonomousWork(6, 2_000).slice(2)]),
      ),
    })),
  arbitrary: (options) =>
    arbitraryScenario(options).map((scenario): Scenario => ({ ...scenario, messages: asStrings(scenario.messages) })),
  async check(scenario, { create, hostParts }) {
    const { result } = await attempt(create, scenario, hostParts);
    result?.messages.forEach((message, index) => {
      ensure(
        !Array.isArray(message.content),
        () => `message ${index} of the output (${message.role}) has a list of parts, but no input message has one`,
      );
    });
  },
};

function asStrings(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: contentText(message.content) } : message,
  );
}
