import type { MessageReader } from '@palimpsest/core';
import { defineMessageReader } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { foreignHandoffReader } from './foreign-handoff.ts';
import { instructionReader } from './instruction-reader.ts';
import { partSeparator } from './part-separator.ts';
import { textSeparator } from './text-separator.ts';

/**
 * Creates a reader from the profiles of agents: `createMessageReader([...knownAgents, myAgent])`. The profiles are
 * compiled once into one matcher. Independently of the profiles, the reader recognizes this library's own marks, tags
 * named like documents or output, labels such as `Command output:`, bare JSON, and text that ends with a shell prompt.
 *
 * Pass it to a host, a session or `prune` as `reader`.
 */
export function createMessageReader(agents: readonly AgentProfile[]): MessageReader {
  const separateText = textSeparator(agents);
  return defineMessageReader({
    readForeignHandoff: foreignHandoffReader(agents),
    separateText,
    separateTexts: partSeparator(agents, separateText),
    readInstructions: instructionReader(agents, separateText),
  });
}
