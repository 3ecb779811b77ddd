import { isInsertedMessage } from '../messages/inserted-text.ts';
import { type SeparatedText, separateQuotes } from '../messages/quoted-text.ts';
import { defineMessageReader, type MessageReader } from './message-reader.ts';

const snapshot = { opening: '<todo-snapshot source="session">\n', closing: '</todo-snapshot>' };

/**
 * A reader that recognizes only what this library writes into user messages: handoffs, quoted text, todo snapshots and
 * placeholders. Text inserted by a harness counts as a person's words. Use `agentReader` of `@palimpsest/agents` to
 * separate it.
 */
export const plainReader: MessageReader = /* @__PURE__ */ defineMessageReader({
  readForeignHandoff: () => null,
  separateText(text) {
    const trimmed = text.trim();
    if (isInsertedMessage(trimmed)) return { own: '', quoted: [text], observed: false };
    const quotes = separateQuotes(text);
    const snapshots = separateSnapshot(quotes.own);
    return { ...quotes, own: snapshots.own, quoted: [...quotes.quoted, ...snapshots.quoted] };
  },
});

/** Separates the todo snapshot that a session put before a person's words. */
function separateSnapshot(text: string): Pick<SeparatedText, 'own' | 'quoted'> {
  const from = text.indexOf(snapshot.opening);
  const end = text.lastIndexOf(snapshot.closing);
  if (from < 0 || end < from) return { own: text, quoted: [] };
  const to = end + snapshot.closing.length;
  return { own: text.slice(0, from) + text.slice(to), quoted: [text.slice(from, to)] };
}
