import { type Behaviour, contextWindow, type Received } from '../../../../test/loopback-server/index.ts';

/** What a provider has seen of an agent. */
export interface ToolProviderLog {
  rounds: number;
  refused: number;
  /** Tokens of the largest answered prompt. */
  largest: number;
  /** Prompts that did not begin with the prompt before them. */
  cold: number;
  /** Searches of what was removed. */
  searches: number;
}

/** Tools in which agents run commands, and their input. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: 'Prints lines' }),
  bash: (command) => ({ command, description: 'Prints lines' }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
  shell_command: (command) => ({ command }),
  exec_command: (command) => ({ cmd: command }),
};

/** A strict model with a window that has the agent run a command in each of `rounds` rounds, and then says that it is done. */
export function toolProvider(
  window: number,
  rounds: number,
): { readonly log: ToolProviderLog; readonly script: (request: Received) => Behaviour } {
  const judge = contextWindow(window);
  const log: ToolProviderLog = { rounds: 0, refused: 0, largest: 0, cold: 0, searches: 0 };
  let before = 0;
  return {
    log,
    script(request) {
      const names = toolNames(request.body.tools);
      // A request for a title.
      if (names.length === 0) return { kind: 'answer', text: 'A title', promptTokens: 100, completionTokens: 3 };
      const { promptTokens, cachedTokens, refusal } = judge(request);
      if (refusal) {
        log.refused++;
        return refusal;
      }
      log.largest = Math.max(log.largest, promptTokens);
      if (cachedTokens < before * 0.95) log.cold++;
      before = promptTokens;
      const usage = { promptTokens, cachedTokens, completionTokens: 30 };
      if (names.includes('recall') && log.searches < log.rounds / 10) {
        log.searches++;
        const search = { id: `recall_${log.searches}`, name: 'recall', arguments: '{"query":"round 3 line 7"}' };
        return { kind: 'answer', text: '', calls: [search], ...usage };
      }
      const name = names.find((known) => Object.hasOwn(shells, known));
      if (!name || log.rounds >= rounds) return { kind: 'answer', text: name ? 'All done.' : 'No tool.', ...usage };
      log.rounds++;
      const input = JSON.stringify(shells[name]!(printLines(log.rounds)));
      const calls = [{ id: `call_${log.rounds}`, name, arguments: input }];
      return { kind: 'answer', text: `Step ${log.rounds}.`, calls, ...usage };
    },
  };
}

/** A command that prints about 500 tokens. */
function printLines(round: number): string {
  return `node -e "for (let i = 0; i < 30; i++) console.log('line ' + i + ' of round ${round}: some text that the tool prints')"`;
}

function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly { name?: string; function?: { name?: string } }[]).flatMap(
    (tool) => tool.name ?? tool.function?.name ?? [],
  );
}
