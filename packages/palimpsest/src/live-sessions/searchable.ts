import type { Message } from '@palimpsest/core';
import { createRecall, type Recall } from '@palimpsest/recall';
import { redact, redactMessages } from '@palimpsest/redactor';

/** A session whose whole text can be searched. */
export interface OpenSession {
  readonly name: string;
  /** Number of its messages. */
  readonly length: number;
  readonly recall: Recall;
}

/** A session to search. */
interface SearchedMessages {
  readonly name: string;
  messages(): Promise<readonly Message[]>;
}

/**
 * Opens a session for a search. Everything in it counts as hidden. Secrets are masked here, in whole messages: in a page of
 * an answer, a part of a secret could not be recognized.
 */
export async function searchable({ name, messages }: SearchedMessages): Promise<OpenSession> {
  const recall = createRecall({ sessionId: name, redact: (text) => redact(text, { boundary: true }) });
  const history = redactMessages(await messages(), { boundary: true });
  recall.update(history, nothingOf(history));
  return { name, length: history.length, recall };
}

/** An empty projection: the model that searches may not have seen any of the messages. */
function nothingOf(messages: readonly Message[]): Parameters<Recall['update']>[1] {
  return {
    messages: [],
    provenance: { output: [], source: messages.map(() => ({ kind: 'dropped', edit: 0, reasons: [] })) },
  };
}
