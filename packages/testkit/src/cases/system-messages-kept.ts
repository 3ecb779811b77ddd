import { contentText, isSystem, leadingSystems, type Message } from '@palimpsest/core';
import { type CaseDefinition, ensure, resultCase } from '../case-definition.ts';
import { promptTokens } from '../scenario.ts';

/** Instructions of the host have to stay whole if they take at most this share of the window. */
const smallShare = 0.1;

export const systemMessagesKept: CaseDefinition = resultCase(
  4,
  'keeps leading system messages as the same objects, and later ones whole in their newest copy',
  (result, scenario) => {
    const after = (result.messages as readonly Message[]).filter(isSystem);
    const lead = leadingSystems(scenario.messages);
    const { source, output } = result.provenance;
    // A host that sends new instructions all the time would fill the window with them.
    const later = scenario.messages.filter((message, index) => isSystem(message) && index >= lead);
    const isSmall = promptTokens(later) <= scenario.model.contextLength * smallShare;
    let at = 0;
    scenario.messages.forEach((message, index) => {
      if (!isSystem(message)) return;
      if (after[at] === message) {
        at++;
        return;
      }
      ensure(index >= lead, () => `leading system message ${index} is missing or a different object`);
      const outcome = source[index]!;
      ensure(
        (outcome.kind === 'summarized' || outcome.kind === 'dropped') && output.some(({ kind }) => kind === 'inserted'),
        () => `system message ${index} was copied, moved, or removed without an inserted message`,
      );
      ensure(
        !isSmall || after.some(({ content }) => contentText(content) === contentText(message.content)),
        () => `system message ${index} was removed, and no copy of it is left`,
      );
    });
    ensure(at === after.length, () => `the output has ${after.length - at} system messages that are not in the input`);
    // System messages stay in place: messages that were before one and still exist are still before it.
    let newest = -1;
    result.provenance.output.forEach((origin, index) => {
      if (origin.kind === 'inserted') return;
      ensure(
        origin.from > newest,
        () =>
          `message ${index} of the output comes from message ${origin.from}, which was before its predecessor in the input`,
      );
      newest = origin.from;
    });
    for (let index = 0; index < lead; index++)
      ensure(
        result.messages[index] === scenario.messages[index],
        () => `a message was inserted before leading system message ${index}`,
      );
  },
);
