import { requestWords } from '../template/verbatim.ts';
import { openRequests } from '../work-record/requests/open-requests.ts';
import type { UserWords } from '../work-record/requests/user-words.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { normalize } from './compare-words.ts';
import { type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';

/**
 * Maximum share of the budget for the words of the open requests. The newest request is also in the transcript in full.
 */
const share = 0.25;

/**
 * Makes sure that Active Task contains the user's own words. The model's text stays if each line quotes a message of
 * the user and the newest open request is among them; otherwise the open requests replace it. Empty if no request is
 * open.
 */
export function groundActiveTask(grounded: Grounded, { template, roles, said, budgetTokens }: GroundTruth): Grounded {
  const { sections, warnings } = grounded;
  const index = roles.own('task');
  if (index < 0) return grounded;
  const written = sectionText(sections, index, template);
  const open = openRequests(said);
  const replacedBy = (text: string, warning: string): Grounded =>
    text === written ? grounded : { sections: withSection(sections, index, text), warnings: [...warnings, warning] };
  if (said.length === 0) return replacedBy('', 'Active Task was emptied: the user asked for nothing.');
  if (open.length === 0) return replacedBy('', 'Active Task was emptied: no request is open.');
  if (written !== '' && quotesOnly(written, said) && quotes(written, open.at(-1)!)) return grounded;
  const room = (budgetTokens * share) / open.length;
  const words = open.map((request) => requestWords(request, room, template)).join('\n\n');
  return replacedBy(words, 'Active Task did not quote the open request and was replaced by it.');
}

/** Length of a quotation that identifies a long request. Characters. */
const identifying = 200;
/** Minimum share of a long request that a quotation must contain. */
const leastShare = 0.3;

/** True if every line of a text is in some message of the user. */
function quotesOnly(text: string, said: readonly UserWords[]): boolean {
  const messages = said.map((one) => normalize(one.text));
  return text
    .split('\n')
    .map((line) => normalize(withoutListMark(line)))
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .every((line) => messages.some((message) => message.includes(line)));
}

/** True if a text contains a request; for a long request, its beginning and at least three tenths of it. */
function quotes(text: string, { text: message }: UserWords): boolean {
  const written = normalize(text);
  const wanted = normalize(message);
  if (written.includes(wanted)) return true;
  return (
    written.length >= Math.min(wanted.length, identifying) &&
    wanted.includes(normalize(text.split('\n')[0] ?? '')) &&
    written.length >= wanted.length * leastShare
  );
}
