import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { GrowingConversation } from './growing-conversation.ts';
import { startScript } from './running-process.ts';

/** Milliseconds from the start of a request to the first byte of its reply. */
interface Latencies {
  readonly direct: number[];
  /** Through the proxy, to a path that it passes on without reading the body. */
  readonly passedOn: number[];
  /** Through the proxy, in a conversation that it has seen before. */
  readonly known: number[];
  /** Through the proxy, the first request of a conversation. */
  readonly first: number[];
}

/** What is measured. */
export interface LatencyOptions {
  /** Size of the first request of each conversation. Bytes. */
  readonly bytes: number;
  readonly conversations: number;
  /** Conversations that take turns, before the next ones follow. */
  readonly atOnce: number;
  /** Requests of each conversation after the first. */
  readonly requests: number;
}

export interface LatencyResult {
  readonly times: Latencies;
  /** Largest memory of the proxy's process. Bytes; `NaN` where the system does not tell. */
  readonly memory: number;
}

/** Measures the time to the first byte through `palimpsest proxy`, and directly, in turns. Each program is a process. */
export async function measureLatency(options: LatencyOptions): Promise<LatencyResult> {
  const { bytes, conversations, atOnce, requests } = options;
  const provider = await startScript('./provider-process.ts', [], /^port (\d+)/);
  const upstream = `http://127.0.0.1:${provider.found[1]}/v1`;
  const given = ['proxy', '--port', '0', '--openai', upstream, '--window', '20000000'];
  const proxy = await startScript('../../../../packages/palimpsest/src/cli.ts', given, /status on (\S+)/);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [direct, through] = [`${upstream}/chat/completions`, `${proxy.found[1]}/openai/v1/chat/completions`];
  const times: Latencies = { direct: [], passedOn: [], known: [], first: [] };
  try {
    for (let from = 0; from < conversations; from += atOnce) {
      const open = Array.from({ length: atOnce }, (_, at) => new GrowingConversation(from + at, bytes));
      for (const conversation of open) times.first.push(await firstByte(through, conversation.grow(), agent));
      for (let round = 0; round < requests; round++)
        for (const conversation of open) {
          const body = conversation.grow();
          times.direct.push(await firstByte(direct, body, agent));
          times.passedOn.push(await firstByte(`${through}/other`, body, agent));
          times.known.push(await firstByte(through, body, agent));
        }
    }
    return { times, memory: await memoryOf(proxy.child.pid!) };
  } finally {
    agent.destroy();
    for (const { child } of [proxy, provider]) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    }
  }
}

async function firstByte(url: string, body: Buffer, agent: Agent): Promise<number> {
  const from = performance.now();
  const call = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  call.end(body);
  const [reply] = await once(call, 'response');
  await once(reply, 'readable');
  const time = performance.now() - from;
  reply.resume();
  await once(reply, 'end');
  // What the proxy does after the reply is not part of the next request's time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return time;
}

/** Linux reports it. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
