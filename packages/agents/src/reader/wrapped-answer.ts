import type { AgentProfile } from '../agent-profile.ts';
import { anyName, lengthAtStart } from '../any-of.ts';

/**
 * Creates a function that extracts a user's answer from the harness text around it. It returns `null` for a text without
 * an answer. Between the opening and the answer there is only harness text, without tags.
 */
export function answerReader(agents: readonly AgentProfile[]): (text: string) => string | null {
  const opened = lengthAtStart(agents.flatMap(({ answers }) => answers?.openings ?? []));
  const tags = agents.flatMap(({ answers }) => answers?.tags ?? []);
  if (tags.length === 0) return () => null;
  const opening = new RegExp(`^[^<]*<(${anyName(tags)})>`);
  return (text) => {
    const length = opened(text);
    const found = length < 0 ? null : opening.exec(text.slice(length));
    if (!found) return null;
    const from = length + found[0].length;
    const to = text.lastIndexOf(`</${found[1]}>`);
    return to < from ? null : text.slice(from, to).trim() || null;
  };
}
