import type { AgentProfile } from '../agent-profile.ts';
import { anyName, startsWithAny } from '../any-of.ts';

/** Creates a function that extracts a user's answer from the harness text around it. It returns `null` for a text without an answer. */
export function answerReader(agents: readonly AgentProfile[]): (text: string) => string | null {
  const wraps = startsWithAny(agents.flatMap(({ answers }) => answers?.openings ?? []));
  const tags = agents.flatMap(({ answers }) => answers?.tags ?? []);
  if (tags.length === 0) return () => null;
  const opening = new RegExp(`<(${anyName(tags)})>`);
  return (text) => {
    const found = wraps(text) ? opening.exec(text) : null;
    if (!found) return null;
    const from = found.index + found[0].length;
    const to = text.lastIndexOf(`</${found[1]}>`);
    return to < from ? null : text.slice(from, to).trim() || null;
  };
}
