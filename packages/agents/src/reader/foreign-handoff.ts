import type { Handoff } from '@palimpsest/core';
import type { AgentProfile } from '../agent-profile.ts';
import { anywhere, atStart } from '../any-of.ts';

/** Creates a reader of other systems' summaries. It returns version 0, the body, and the text after the end mark. */
export function foreignHandoffReader(agents: readonly AgentProfile[]): (text: string) => Handoff | null {
  const summaries = agents.flatMap((agent) => agent.summaries ?? []);
  const opening = atStart(summaries.flatMap(({ openings }) => openings));
  const ending = anywhere(summaries.flatMap(({ ends = [] }) => ends));
  const content = anywhere(
    summaries.flatMap(({ contents }) => contents),
    'im',
  );
  return (text) => {
    const opened = opening?.exec(text);
    if (!opened) return null;
    const ended = ending?.exec(text);
    if (!ended && !content?.test(text)) return null;
    const start = opened[0].length;
    if (!ended || ended.index < start - 1) return { version: 0, body: text.slice(start).trim(), rest: '' };
    return {
      version: 0,
      body: text.slice(start, Math.max(start, ended.index)).trim(),
      rest: text.slice(ended.index + ended[0].length),
    };
  };
}
