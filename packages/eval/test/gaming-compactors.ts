import type { Message, TokenCounter } from '@palimpsest/core';
import type { Compact } from '../src/compactors/compactor.ts';
import { identifiersIn } from '../src/future/identifier-occurrences.ts';
import { textsOf } from '../src/transcripts/texts.ts';

const textsIn = (messages: readonly Message[]): string[] => messages.flatMap((message) => textsOf(message));

/** As many of the items as fit the budget, in one user message. Each later duplicate is left out. */
function inOneMessage(
  items: readonly string[],
  separator: string,
  budgetTokens: number,
  counter: TokenCounter,
): Message[] {
  const kept: string[] = [];
  let tokens = 20;
  for (const item of new Set(items)) {
    tokens += counter.countText(item + separator) + 0.5;
    if (tokens > budgetTokens) break;
    kept.push(item);
  }
  return [{ role: 'user', content: kept.join(separator) }];
}

/** All exact names of the newest texts, in their order, so that names that belong together stand together. */
export const bagOfIdentifiers: Compact = (messages, budgetTokens, counter) => {
  const texts = textsIn(messages).reverse();
  const bags = texts.map((text) =>
    identifiersIn(text)
      .map(({ name }) => name)
      .join(' '),
  );
  return inOneMessage(bags.filter(Boolean), '\n', budgetTokens, counter);
};

/** All paths. */
export const listOfFileNames: Compact = (messages, budgetTokens, counter) => {
  const names = textsIn(messages).flatMap((text) => identifiersIn(text).map(({ name }) => name));
  const paths = names.filter((name) => /\/.*\.\w+$/.test(name) && !name.includes('://'));
  return inOneMessage(paths.reverse(), '\n', budgetTokens, counter);
};

/** The newer half of the messages. */
export const newestHalf: Compact = (messages) => messages.slice(Math.ceil(messages.length / 2));

/** Long lines of all messages, newest first, as a handoff that consists of quotations. */
export const quotedLines: Compact = (messages, budgetTokens, counter) => {
  const lines = textsIn(messages)
    .reverse()
    .flatMap((text) => text.split('\n').map((line) => line.trim()));
  const long = lines.filter((line) => line.length >= 60);
  return inOneMessage(
    long.map((line) => `> ${line}`),
    '\n',
    budgetTokens,
    counter,
  );
};
