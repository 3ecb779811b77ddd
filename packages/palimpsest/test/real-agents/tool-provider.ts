import { type Behaviour, contextWindow, type Received } from '../../../../test/loopback-server/index.ts';
import { KeptTexts } from './kept-texts.ts';

/** What a provider has seen of an agent. */
export interface ToolProviderLog {
  rounds: number;
  refused: number;
  /** Tokens of the largest answered prompt. */
  largest: number;
  /** Prompts that did not begin with the prompt before them. */
  cold: number;
  /** Pages that were asked for and written. */
  pages: number;
  /** Requests for pages that began with the whole request before them. */
  continued: number;
  /** Requests of the agent with a page in them. */
  withPage: number;
  /** Searches, each for the output of another round. */
  searches: number;
  /** Searches for what was not in the prompt. */
  needed: number;
  /** Needed searches whose result showed what was sought. */
  found: number;
  /** Tokens of the request that `refuseAfter` refused, and of the one after it. */
  refusal: { readonly refused: number; readonly sent: number | null } | null;
  /** Results of the last call that the model did not get whole. */
  unreadLost: number;
  /** The smallest share of the host's instructions that was whole in a request, 0 to 1. */
  instructions: number;
}

/** Tools in which agents run commands, and their input. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: 'Prints lines' }),
  bash: (command) => ({ command, description: 'Prints lines' }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
  shell_command: (command) => ({ command }),
  exec: (command) => ({ command }),
  exec_command: (command) => ({ cmd: command }),
  run_shell_command: (command) => ({ command, description: 'Prints lines' }),
  run_commands: (command) => ({ commands: [command] }),
};

/** What a provider has the agent do. */
export interface ToolScript {
  readonly window: number;
  /** Rounds in which the agent runs a command. */
  readonly rounds: number;
  /** Ends a task each time after this many rounds. The next task continues. @default never */
  readonly roundsPerTask?: number;
  /** A word that the commands print. @default 'text' */
  readonly mark?: string;
  /** Searches for the output of round 3 with the MCP server, after this round. @default never */
  readonly mcpAfter?: number;
  /** A part of the name of the session that is searched then. @default none: the newest */
  readonly session?: string | undefined;
  /** The task as the agent was given it: it is not an instruction of the host. @default 'Run the checks.' */
  readonly task?: string;
  /** Refuses one request for its size, after this round, although it fits. @default never */
  readonly refuseAfter?: number;
  /** Called before each answer. What it returns replaces the answer. */
  readonly instead?: (log: ToolProviderLog) => Behaviour | null;
}

/** What the MCP server is searched for: a line of the first task. */
export const sought: RegExp = lineOf(3);

/** Matches a request in which the session asks for a page: behind the agent's request, or alone. */
const asksForPage: RegExp = /Stop the work for this one message\.|The turns:\n/;

const pageWords = 'The checks are run one after the other.';

function page(rounds: number): string {
  return `## Goal\n${pageWords}\n\n## Progress\n${rounds} rounds have printed their lines.\n\n## Next Steps\nRun the next one.`;
}

/** Lines that a command prints: about 500 tokens. */
const lines = 30;

/** True if a prompt has all lines that a round printed. */
function hasOutput(prompt: string, round: number): boolean {
  return Array.from({ length: lines }).every((_, line) => prompt.includes(`line ${line} of round_${round}: some`));
}

/** A line that a round of the first task printed. */
function lineOf(round: number): RegExp {
  return new RegExp(`line \\d+ of round_${round}: some text`);
}

/** A strict model with a window that has the agent run a command in each round, and then says that it is done. */
export function toolProvider({
  window,
  rounds,
  roundsPerTask = rounds,
  mark = 'text',
  mcpAfter = -1,
  session,
  task = 'Run the checks.',
  refuseAfter = -1,
  instead = () => null,
}: ToolScript): {
  readonly log: ToolProviderLog;
  readonly script: (request: Received) => Behaviour;
} {
  const judge = contextWindow(window);
  // Requests for pages come between those of the agent, whose prompts are compared with each other.
  const judgePage = contextWindow(window);
  const log: ToolProviderLog = {
    rounds: 0,
    refused: 0,
    largest: 0,
    cold: 0,
    pages: 0,
    continued: 0,
    withPage: 0,
    searches: 0,
    needed: 0,
    found: 0,
    refusal: null,
    unreadLost: 0,
    instructions: 1,
  };
  const kept = new KeptTexts();
  let before = 0;
  /** The messages of the last request of the agent, each as JSON. */
  let sentBefore: readonly string[] = [];
  /** The round whose command was called last; 0 when its result was read. */
  let calledIn = 0;
  /** What the last search, which was needed, looked for. */
  let wanted: RegExp | null = null;
  let endedAt = 0;
  return {
    log,
    script(request) {
      if (asksForPage.test(request.text)) {
        const { promptTokens, cachedTokens, refusal } = judgePage(request);
        if (refusal) log.refused++;
        else log.pages++;
        const asked = withoutMarks(request);
        if (sentBefore.length > 0 && sentBefore.every((message, at) => message === asked[at])) log.continued++;
        return refusal ?? { kind: 'answer', text: page(log.rounds), promptTokens, cachedTokens, completionTokens: 80 };
      }
      const tools = toolNames(request.body.tools);
      // A request for a title.
      if (tools.length === 0) return { kind: 'answer', text: 'A title', promptTokens: 100, completionTokens: 3 };
      const { promptTokens, cachedTokens, refusal } = judge(request);
      if (refusal) {
        log.refused++;
        return refusal;
      }
      const replaced = instead(log);
      if (replaced) return replaced;
      if (log.refusal?.sent === null) log.refusal = { ...log.refusal, sent: promptTokens };
      if (log.rounds === refuseAfter && !log.refusal) {
        log.refusal = { refused: promptTokens, sent: null };
        return contextWindow(promptTokens - 1)(request).refusal!;
      }
      sentBefore = withoutMarks(request);
      if (request.text.includes(pageWords)) log.withPage++;
      if (calledIn > 0 && !hasOutput(JSON.stringify(messagesOf(request)), calledIn)) log.unreadLost++;
      calledIn = 0;
      log.instructions = Math.min(log.instructions, kept.instructionShare(request, task));
      if (wanted?.test(newestMessages(request))) log.found++;
      wanted = null;
      log.largest = Math.max(log.largest, promptTokens);
      if (cachedTokens < before * 0.95) log.cold++;
      before = promptTokens;
      const usage = { promptTokens, cachedTokens, completionTokens: 30 };
      const search = searchTool(tools);
      const due = Math.floor(log.rounds / 10);
      if (search && (search.isMcp ? log.rounds === mcpAfter && log.searches === 0 : log.searches < due)) {
        log.searches++;
        // Another round each time, because the answer stays in the prompt.
        const round = search.isMcp ? 3 : log.searches;
        if (!lineOf(round).test(JSON.stringify(messagesOf(request)))) {
          wanted = lineOf(round);
          log.needed++;
        }
        const query = `round_${round}`;
        const { name, namespace } = search;
        return {
          kind: 'answer',
          text: '',
          calls: [{ id: `recall_${log.searches}`, name, namespace, arguments: JSON.stringify({ query, session }) }],
          ...usage,
        };
      }
      const name = tools.map((tool) => tool.name).find((known) => Object.hasOwn(shells, known));
      const isTaskDone = log.rounds >= endedAt + roundsPerTask;
      if (isTaskDone) endedAt = log.rounds;
      if (!name || isTaskDone || log.rounds >= rounds)
        return { kind: 'answer', text: name ? 'All done.' : 'No tool.', ...usage };
      log.rounds++;
      calledIn = log.rounds;
      const input = JSON.stringify(shells[name]!(printLines(log.rounds, mark)));
      const calls = [{ id: `call_${mark}_${log.rounds}`, name, arguments: input }];
      return { kind: 'answer', text: `Step ${log.rounds}.`, calls, ...usage };
    },
  };
}

/** The result of the last call, and what an agent may add behind it. */
function newestMessages(request: Received): string {
  return JSON.stringify(messagesOf(request).slice(-2));
}

/** The messages of a request, each as JSON, without the marks for the cache, which move on with each request. */
function withoutMarks(request: Received): readonly string[] {
  const unmarked = (name: string, value: unknown): unknown => (name === 'cache_control' ? undefined : value);
  return messagesOf(request).map((message) => JSON.stringify(message, unmarked));
}

function messagesOf({ body: { messages, input, contents } }: Received): readonly unknown[] {
  return (messages ?? input ?? contents) as readonly unknown[];
}

/** A command that prints {@link lines}. */
function printLines(round: number, mark: string): string {
  return `node -e "for (let i = 0; i < ${lines}; i++) console.log('line ' + i + ' of round_${round}: some ${mark} that the tool prints')"`;
}

/** The declaration of a tool, in the form of one of the APIs. */
interface DeclaredTool {
  readonly name?: string;
  readonly function?: { readonly name?: string };
  readonly tools?: unknown;
  readonly functionDeclarations?: unknown;
}

interface OfferedTool {
  readonly name: string;
  /** Codex groups the tools of an MCP server. */
  readonly namespace?: string;
}

function toolNames(tools: unknown): readonly OfferedTool[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly DeclaredTool[]).flatMap((tool) => {
    if (tool.functionDeclarations) return toolNames(tool.functionDeclarations);
    const name = tool.name ?? tool.function?.name;
    if (name === undefined) return [];
    return Array.isArray(tool.tools) ? toolNames(tool.tools).map((inner) => ({ ...inner, namespace: name })) : { name };
  });
}

function searchTool(tools: readonly OfferedTool[]): (OfferedTool & { readonly isMcp: boolean }) | null {
  const mcp = tools.find(({ name, namespace = '' }) => /palimpsest\W*_*recall$/.test(namespace + name));
  if (mcp) return { ...mcp, isMcp: true };
  const own = tools.find(({ name }) => name === 'recall');
  return own ? { ...own, isMcp: false } : null;
}
