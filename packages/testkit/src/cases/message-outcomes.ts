import { agentReader } from '@palimpsest/agents';
import {
  apply,
  type CompressResult,
  contentText,
  type Message,
  type MessageOutcome,
  readAnyHandoff,
} from '@palimpsest/core';
import { type CaseDefinition, ensure, resultCase } from '../case-definition.ts';

export const messageOutcomes: CaseDefinition = resultCase(
  6,
  'gives every message one outcome that matches the report and the edits',
  (result, scenario) => {
    const { messages } = scenario;
    const output = result.messages as readonly Message[];
    const { source, output: origins } = result.provenance;
    ensure(
      source.length === messages.length,
      () => `provenance has ${source.length} outcomes for ${messages.length} input messages`,
    );
    ensure(
      origins.length === output.length,
      () => `provenance has ${origins.length} origins for ${output.length} output messages`,
    );

    const counts = countOutcomes(messages, result);
    const { report } = result;
    for (const kind of Object.keys(counts) as MessageOutcome['kind'][])
      ensure(report[kind] === counts[kind], () => `report.${kind} is ${report[kind]}, expected ${counts[kind]}`);
    const inserted = origins.filter((origin) => origin.kind === 'inserted').length;
    ensure(report.inserted === inserted, () => `report.inserted is ${report.inserted}, expected ${inserted}`);
    ensure(
      report.messagesBefore === messages.length && report.messagesAfter === output.length,
      () =>
        `the report counts ${report.messagesBefore} messages before and ${report.messagesAfter} after, expected ${messages.length} and ${output.length}`,
    );

    const again = apply(messages, JSON.parse(JSON.stringify(result.edits)));
    ensure(
      JSON.stringify(again.messages) === JSON.stringify(output),
      () => 'applying the edits, read back from JSON, gives different messages than the result',
    );
  },
);

/** Counts the outcomes of each kind, and checks each one against the output. */
function countOutcomes(
  messages: readonly Message[],
  result: CompressResult<Message>,
): Readonly<Record<MessageOutcome['kind'], number>> {
  const output = result.messages as readonly Message[];
  const { source, output: origins } = result.provenance;
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
        () => `message ${index} is reported as ${outcome.kind} at ${outcome.at}, but the origin there does not match`,
      );
    } else if (outcome.kind === 'carried') {
      const carrier = output[outcome.at];
      ensure(
        origins[outcome.at]?.kind === 'inserted',
        () => `message ${index} is reported as carried by message ${outcome.at}, which was not inserted`,
      );
      ensure(
        holds(carrier, messages[index]!),
        () => `message ${index} is reported as carried by message ${outcome.at}, which does not contain its text`,
      );
    } else {
      ensure(
        !output.includes(messages[index]!),
        () => `message ${index} is reported as ${outcome.kind}, but it is in the output`,
      );
    }
  });
  return counts;
}

function holds(carrier: Message | undefined, message: Message): boolean {
  const own = readAnyHandoff(message, agentReader)?.rest ?? message.content;
  return carrier !== undefined && contentText(carrier.content).includes(contentText(own));
}
