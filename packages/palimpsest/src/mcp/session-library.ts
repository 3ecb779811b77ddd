import { stat } from 'node:fs/promises';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { homeInputs } from '@palimpsest/comparison/home-sessions';
import type { Input } from '@palimpsest/comparison/input';
import { readTranscripts } from '@palimpsest/comparison/read-transcripts';
import type { Message } from '@palimpsest/core';
import { createRecall, type Recall } from '@palimpsest/recall';
import { redact } from '@palimpsest/redactor';

/** The recorded sessions of coding agents on this machine. */
export interface SessionLibrary {
  /** The newest sessions, newest first. */
  list(limit: number): Promise<readonly string[]>;
  /**
   * Opens a session for a search.
   * @param name a part of its path; the newest session whose path contains it. @default the newest of all
   * @throws {Error} if no session is found
   */
  open(name: string | undefined): Promise<OpenSession>;
}

interface OpenSession {
  readonly path: string;
  readonly recall: Recall;
}

interface Held extends OpenSession {
  /** Changes when the agent writes to the log. */
  readonly version: string;
}

/** Number of sessions held in memory. */
const mostOpen = 4;

/** Reads the sessions of Claude Code and Codex from the home folder on demand. */
export function sessionLibrary(terminal: Terminal): SessionLibrary {
  const held = new Map<string, Held>();
  const inputs = (newest?: number): Promise<readonly Input[]> =>
    homeInputs({ claudeCode: true, codex: true, newest }, terminal);
  return {
    list: async (limit) => (await inputs(limit)).map(({ label }) => label),
    async open(name) {
      const all = await inputs();
      const input = name === undefined ? all[0] : all.find(({ label }) => label.includes(name));
      if (!input) throw new Error(`No session has "${name}" in its path. list_sessions names them.`);
      const path = input.label;
      const { mtimeMs, size } = await stat(input.path!);
      const version = `${mtimeMs} ${size}`;
      const known = held.get(path);
      const session = known?.version === version ? known : { path, version, recall: await recallOf(input) };
      held.delete(path);
      held.set(path, session);
      if (held.size > mostOpen) held.delete(held.keys().next().value!);
      return session;
    },
  };
}

async function recallOf(input: Input): Promise<Recall> {
  const recall = createRecall({ sessionId: input.label, redact: (text) => redact(text, { boundary: true }) });
  for await (const { messages } of readTranscripts(input)) recall.update(messages, nothingOf(messages));
  return recall;
}

/** The projection that shows nothing: the model that searches may not have seen any of it. */
function nothingOf(messages: readonly Message[]): Parameters<Recall['update']>[1] {
  return {
    messages: [],
    provenance: { output: [], source: messages.map(() => ({ kind: 'dropped', edit: 0, reasons: [] })) },
  };
}
