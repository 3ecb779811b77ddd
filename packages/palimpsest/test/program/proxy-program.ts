import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import type { ConversationStats } from '../../src/conversations/conversation-stats.ts';
import { clientsOf, type ProxyClients } from '../proxy/running-proxy.ts';
import { upstreamsOf } from '../real-agents/agent-run.ts';
import { runningProgram } from './running-program.ts';

/** `palimpsest proxy` in a process of its own, and clients that use it. */
export interface ProxyProgram extends ProxyClients {
  readonly program: RunningProgram;
  readonly url: string;
  /** Its conversations, the most recently used first. */
  conversations(): Promise<readonly ConversationStats[]>;
}

/** Starts `palimpsest proxy` on a free port. @param cwd its folder, which is also its home */
export async function proxyProgram(
  server: LoopbackServer,
  options: readonly string[],
  cwd: string,
): Promise<ProxyProgram> {
  const program = runningProgram(['proxy', '--port', '0', ...upstreamsOf(server), ...options], { cwd });
  const [, url] = await program.written(/live view on (http:\S+)/);
  return {
    program,
    url: url!,
    ...clientsOf(url!),
    async conversations() {
      const reply = await fetch(url!, { headers: { accept: 'application/json' } });
      return ((await reply.json()) as { readonly conversations: readonly ConversationStats[] }).conversations;
    },
  };
}
