import type { UserWords } from '@palimpsest/work-record';
import { openRequests, withoutListMark } from '@palimpsest/work-record';
import { requestWords } from '../template/verbatim.ts';
import { normalize } from './compare-words.ts';
import { type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';

/** Of the budget, what the words of the open request may take; they stand in the transcript in full anyway. */
const share = 0.25;

/**
 * Active Task is the user's own words. It stays as the model wrote it while every line of it quotes a real message and
 * the newest open request is among them; else the open requests replace it. Nothing open, or no user at all: empty.
 */
export function groundActiveTask({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles, said } = truth;
  const index = roles.own('task');
  if (index < 0) return { sections, warnings };
  const written = sectionText(sections, index, template);
  const open = openRequests(said);
  const told = (text: string, what: string): Grounded =>
    text === written
      ? { sections, warnings }
      : { sections: withSection(sections, index, text), warnings: [...warnings, what] };
  if (open.length === 0)
    return told(
      '',
      said.length === 0
        ? 'Active Task was emptied: no user asked for anything.'
        : 'Active Task was emptied: nothing is open.',
    );
  if (written !== '' && quotesOnly(written, said) && quotes(written, open.at(-1)!)) return { sections, warnings };
  const room = (truth.budgetTokens * share) / open.length;
  const words = open.map((one) => requestWords(one, room, template)).join('\n\n');
  return told(words, 'Active Task did not quote the open request and was replaced by it.');
}

/** True when every line of a text stands in some message. */
function quotesOnly(text: string, said: readonly UserWords[]): boolean {
  const messages = said.map((one) => normalize(one.text));
  return text
    .split('\n')
    .map((line) => normalize(withoutListMark(line)))
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .every((line) => messages.some((message) => message.includes(line)));
}

/** True when a text holds a message, or of a long one a good part. */
function quotes(text: string, { text: message }: UserWords): boolean {
  const written = normalize(text);
  const wanted = normalize(message);
  if (written.includes(wanted)) return true;
  return (
    written.length >= Math.min(wanted.length, 200) &&
    wanted.includes(normalize(text.split('\n')[0] ?? '')) &&
    written.length >= wanted.length * 0.3
  );
}
