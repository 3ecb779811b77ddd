import type { MessageReader, PersonRecognizer } from '@palimpsest/core';
import { createPersonRecognizer } from '@palimpsest/core/authoring';
import { knownAgents } from '../known-agents.ts';
import { createMessageReader } from './create-message-reader.ts';

/** Reads user messages of {@link knownAgents}. The default reader of the registry, of sessions and of `prune`. */
export const agentReader: MessageReader = /* @__PURE__ */ createMessageReader(knownAgents);

/**
 * The default of `host.isFromPerson` with {@link agentReader}: true when a user message contains a person's words. Blank
 * messages, handoffs (ours and other systems'), interrupts, command echoes, tool output, documents, todo snapshots and
 * nudges are not a person's; a short "continue" is. A message that a plan has rewritten is judged by its
 * original.
 */
export const isFromPerson: PersonRecognizer = /* @__PURE__ */ createPersonRecognizer(agentReader);
