import type { TextCalls } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';

/** How {@link knownAgents} write calls as text. */
export const textCallFormats: readonly TextCalls[] = /* @__PURE__ */ knownAgents.flatMap(
  ({ textCalls }) => textCalls ?? [],
);
