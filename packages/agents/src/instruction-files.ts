import type { AgentProfile } from './agent-profile.ts';
import { anyName } from './any-of.ts';
import { knownAgents } from './known-agents.ts';

/** Recognizes files from which agents load instructions, such as `CLAUDE.md` and `.cursorrules`. */
export interface InstructionFiles {
  /** True for the path of such a file. */
  is(path: string): boolean;
  /** True for a text that may name such a file. A quick check. */
  mayBeIn(text: string): boolean;
}

/** Creates a recognizer from the profiles of agents. */
function compile(agents: readonly AgentProfile[]): InstructionFiles {
  const names = anyName(agents.flatMap(({ instructionFiles: own = [] }) => own));
  // Without an extension, it is a file only if its name is like `.cursorrules`: `src/agent` and `.claude` are folders.
  const path = new RegExp(
    `(?:^|[/\\\\])(?:\\.?${names}\\.(?:md|mdc|txt|local\\.md)|\\.[a-z]{0,20}rules)$|\\.mdc$`,
    'i',
  );
  const mention = new RegExp(`${names}|\\.mdc`, 'i');
  return { is: (file) => path.test(file), mayBeIn: (text) => mention.test(text) };
}

/** Recognizes the instruction files of {@link knownAgents}. */
export const instructionFiles: InstructionFiles = /* @__PURE__ */ compile(knownAgents);
