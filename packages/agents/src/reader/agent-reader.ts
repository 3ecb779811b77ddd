import type { MessageReader, RequestRecognizer } from '@palimpsest/core';
import { defineMessageReader, requestRecognizer } from '@palimpsest/core/authoring';
import { readForeignHandoff } from './foreign-handoff.ts';
import { separateText } from './separate-text.ts';

/** Reads user messages as the known agents write them. */
export const agentReader: MessageReader = /* @__PURE__ */ defineMessageReader({ readForeignHandoff, separateText });

/**
 * The default of `host.isRequest` with {@link agentReader}: true when a user message contains a person's words. Blank
 * messages, handoffs (ours and other systems'), interrupts, command echoes, tool output, documents, todo snapshots and
 * nudges are not requests; a person's short "continue" is. A message that a plan has rewritten is judged by its
 * original.
 */
export const isRequest: RequestRecognizer = /* @__PURE__ */ requestRecognizer(agentReader);
