import { createRegistry } from '@palimpsest/registry';
import { createSession, keyValueStore, type Session } from '@palimpsest/session';
import { runTool, type ToolInput, toolNames, toolParameters } from '../coding-agent/real-tools.ts';
import type { LoopbackServer, Received } from '../loopback-server/index.ts';
import type { AdapterDriver, AgentAnswer, AgentOptions, AgentTool, RunningAgent, UserRequest } from './driver.ts';

const system = 'You are a coding agent. Use the tools to read the project and take notes.';

/** What a case sets of a session. */
export interface SuiteSessionOptions {
  /** The window that the session believes in, in tokens. @default 16_000 */
  readonly window?: number;
  /** Share of the window from which on it is compacted. @default 0.6 */
  readonly threshold?: number;
  /** Who writes the summaries. @default 'rules' */
  readonly summaries?: 'model' | 'rules';
  readonly recall?: boolean;
  readonly store?: Map<string, string>;
}

/** A session that compacts by rules, at 60 % of its window. */
export function suiteSession({
  window = 16_000,
  threshold = 0.6,
  summaries = 'rules',
  recall = false,
  store,
}: SuiteSessionOptions = {}): Session {
  const engines = { compressor: { minimumThreshold: 0, threshold } };
  return createSession({
    id: 'adapter-suite',
    engine: (host) => createRegistry().create({ engine: 'compressor', engines }, host),
    model: { id: 'm', contextLength: window },
    recall,
    // The default is tested without the option.
    ...(summaries === 'rules' && { summaries }),
    store:
      store &&
      keyValueStore({
        getItem: (key) => store.get(key) ?? null,
        setItem: (key, value) => void store.set(key, value),
      }),
  });
}

/** An agent of a driver that checks after each turn that its history has only grown. */
export interface WatchedAgent {
  readonly session: Session;
  /** Results of the tools, in the order of the calls. */
  readonly results: readonly string[];
  ask(request: string | UserRequest): Promise<AgentAnswer>;
  /** The history after a round trip through JSON. */
  history(): Promise<readonly unknown[]>;
  /** What happened to the history that must not. */
  readonly damage: readonly string[];
  close(): Promise<void>;
}

export type AgentKnobs = Partial<Pick<AgentOptions, 'streaming' | 'recall' | 'reasoning' | 'history' | 'maxTokens'>>;

/** Starts an agent with the tools of a coding agent. @param notes the folder that the agent writes to */
export async function startAgent(
  driver: AdapterDriver,
  server: LoopbackServer,
  notes: string,
  session: Session,
  knobs: AgentKnobs = {},
): Promise<WatchedAgent> {
  const results: string[] = [];
  const damage: string[] = [];
  const agent: RunningAgent = await driver.start({
    server,
    session,
    system,
    tools: toolNames.map(
      (name): AgentTool => ({
        name,
        description: 'Works on the files of the project.',
        parameters: { ...toolParameters, required: ['path'] },
        run(input) {
          const result = runTool(name, input as unknown as ToolInput, notes);
          results.push(result);
          return result;
        },
      }),
    ),
    maxTokens: 1_000,
    streaming: false,
    recall: false,
    reasoning: false,
    history: [],
    ...knobs,
  });
  const history = async (): Promise<readonly unknown[]> =>
    JSON.parse(JSON.stringify(await agent.history())) as unknown[];
  let before = (await history()).map((entry) => JSON.stringify(entry));
  return {
    session,
    results,
    damage,
    history,
    async ask(request) {
      try {
        return await agent.ask(typeof request === 'string' ? { text: request } : request);
      } finally {
        const entries = await history();
        const after = entries.map((entry) => JSON.stringify(entry));
        const changed = before.findIndex((entry, at) => entry !== after[at]);
        if (changed >= 0) damage.push(`entry ${changed} was changed: ${before[changed]} became ${after[changed]}`);
        const handoffs = [...textsIn(entries)].filter((text) => text.startsWith('[CONTEXT HANDOFF'));
        if (handoffs.length > 0) damage.push(`a handoff was stored in the history: ${handoffs[0]!.slice(0, 200)}`);
        before = after;
      }
    },
    async close() {
      await agent.close?.();
      await session.end();
    },
  };
}

/** The messages of a request, each as JSON, as the model reads them. */
export function messagesOf({ body }: Received): readonly string[] {
  const list = body.messages ?? body.input;
  return (Array.isArray(list) ? (list as unknown[]) : [list]).map((item) => JSON.stringify(item));
}

/** Numbers of the requests that do not begin with the whole request before them. */
export function changedPrefixes(received: readonly Received[]): readonly number[] {
  const lists = received.map(messagesOf);
  return lists.flatMap((now, number) =>
    number > 0 && lists[number - 1]!.some((message, at) => message !== now[at]) ? [number] : [],
  );
}

/** Every text in a value. */
export function textsIn(value: unknown, texts: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null) for (const field of Object.values(value)) textsIn(field, texts);
  return texts;
}
