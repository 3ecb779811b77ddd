import { agentReader } from '@palimpsest/agents';
import {
  type ContextEngine,
  contentText,
  contentWithoutHandoff,
  type EngineHost,
  type Message,
} from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { assistant, image, promptTokens, quarterCounter, testHost, text, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';

export const bookingTask = 'Book the cheapest flight from Bern to Oslo on 3 May.\n\nNever pay more than 200 francs. ';

const page = (step: number): string =>
  Array.from(
    { length: 12 },
    (_, row) => `[${row}] flight ${step * 12 + row} at ${(step * 37 + row) % 400} francs`,
  ).join('\n');

/** What the harness of an agent that uses a screen sends after each action. */
export const observations: Readonly<Record<string, (step: number) => Message>> = {
  'an observation with a picture': (step) => user([text(`Observation: step ${step}\n${page(step)}`), image()]),
  'a browser with a picture': (step) =>
    user([text('Current browser:'), image(), text(`<page_info>\n${page(step)}\n</page_info>`)]),
  'a tool response with a picture': (step) => user([text(`<tool_response>\n${page(step)}\n</tool_response>`), image()]),
  'a reminder with a picture': (step) => user([text(`<system-reminder>\n${page(step)}\n</system-reminder>`), image()]),
  Cline: (step) =>
    user([
      text(`[browser_action for 'click'] Result:\n${page(step)}`),
      image(),
      text('<environment_details>\ncwd: /\n</environment_details>'),
    ]),
  AutoGen: (step) =>
    user([
      text(`I clicked 'Next'.\n\nHere is a screenshot of [Flights](https://example.com/${step}).\n${page(step)}`),
      image(),
    ]),
  'browser-use': (step) =>
    user([text(`[Current state starts here]\nCurrent url: https://example.com/${step}\n${page(step)}`), image()]),
  'text alone': (step) => user(`Action result: ${page(step)}\n${page(step + 1)}\n${page(step + 2)}`),
};

/** The text of the current task. */
export function taskOf(messages: readonly Message[]): string {
  const { task } = Transcript.of(messages, quarterCounter, { reader: agentReader });
  const contents = task
    ? messages.slice(task.from, task.to).map((message) => contentWithoutHandoff(message, agentReader))
    : [];
  return contents.map(contentText).join('\n---\n');
}

/** One step of such an agent. */
export function screenStep(observe: (step: number) => Message, step: number): Message[] {
  return [assistant(`Step ${step}: I look for a cheaper flight on the next page.`), observe(step)];
}

/** An agent that uses a screen keeps its one task however often its transcript is compacted. */
export function screenshotLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('an agent that uses a screen keeps its task over many compactions', () => {
    for (const [name, observe] of Object.entries(observations))
      for (const dialect of ['openai', 'strict'] as const)
        it(`${name}, ${dialect}`, async () => {
          const engine = makeEngine(testHost({ dialect }));
          await engine.updateModel({ id: 'm', contextLength: 10_000 });
          let messages: Message[] = [user(bookingTask)];
          let compactions = 0;
          for (let step = 0; step < 200; step++) {
            messages = [...messages, ...screenStep(observe, step)];
            if (!engine.shouldCompress(promptTokens(messages))) continue;
            // The caller replaces its history with the output, after a round trip through JSON.
            const { messages: output, outcome } = await engine.compress(messages);
            if (outcome === 'unchanged') continue;
            compactions++;
            messages = JSON.parse(JSON.stringify(output)) as Message[];
            expect(taskOf(messages)).toBe(bookingTask);
          }
          expect(compactions).toBeGreaterThanOrEqual(5);
        });
  });
}
