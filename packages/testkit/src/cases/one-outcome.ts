import { agentReader } from '@palimpsest/agents';
import { apply, contentText, type Message, type MessageOutcome, readAnyHandoff } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcript-examples.ts';

export const oneOutcome: CaseDefinition = {
  name: 'invariant 6: every message has one outcome, the report counts it, and the edits tell it',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), 6);
    if (!result) return;
    const { messages } = scenario;
    const output = result.messages as readonly Message[];
    const { source, output: origins } = result.provenance;
    ensure(source.length === messages.length, () => `${messages.length} messages have ${source.length} outcomes`);
    ensure(origins.length === output.length, () => `${output.length} output messages have ${origins.length} origins`);

    const counts: Record<MessageOutcome['kind'], number> = {
      kept: 0,
      rewritten: 0,
      carried: 0,
      summarized: 0,
      dropped: 0,
    };
    source.forEach((outcome, index) => {
      counts[outcome.kind]++;
      if (outcome.kind === 'kept' || outcome.kind === 'rewritten') {
        const origin = origins[outcome.at];
        const fits =
          origin &&
          origin.kind !== 'inserted' &&
          origin.from === index &&
          (origin.kind === 'original') === (outcome.kind === 'kept');
        ensure(
          Boolean(fits),
          () => `message ${index} is ${outcome.kind} at ${outcome.at}, where something else stands`,
        );
      } else if (outcome.kind === 'carried') {
        const carrier = output[outcome.at];
        ensure(
          origins[outcome.at]?.kind === 'inserted',
          () => `message ${index} is carried by message ${outcome.at}, which is no inserted one`,
        );
        ensure(
          holds(carrier, messages[index]!),
          () => `message ${index} is said to be carried, but message ${outcome.at} does not hold its words`,
        );
      } else {
        ensure(
          !output.includes(messages[index]!),
          () => `message ${index} is ${outcome.kind}, but it is in the output`,
        );
      }
    });
    const { report } = result;
    for (const kind of Object.keys(counts) as MessageOutcome['kind'][])
      ensure(
        report[kind] === counts[kind],
        () => `the report counts ${report[kind]} messages as ${kind}, there are ${counts[kind]}`,
      );
    const inserted = origins.filter((origin) => origin.kind === 'inserted').length;
    ensure(
      report.inserted === inserted,
      () => `the report counts ${report.inserted} inserted messages, there are ${inserted}`,
    );
    ensure(
      report.messagesBefore === messages.length && report.messagesAfter === output.length,
      () => 'the report counts other numbers of messages',
    );

    const again = apply(messages, JSON.parse(JSON.stringify(result.edits)));
    ensure(
      JSON.stringify(again.messages) === JSON.stringify(output),
      () => 'the edits, read back from JSON, give other messages than the result',
    );
  },
};

function holds(carrier: Message | undefined, message: Message): boolean {
  const own = readAnyHandoff(message, agentReader)?.rest ?? message.content;
  return carrier !== undefined && contentText(carrier.content).includes(contentText(own));
}
