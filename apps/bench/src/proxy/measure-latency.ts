import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { longTranscript } from '../speed/long-transcript.ts';

/** Ways to the provider. */
export const ways = ['direct', 'proxy, known conversation', 'proxy, first request of a conversation'] as const;
type Way = (typeof ways)[number];

/** Milliseconds from the start of a request to the first byte of its reply. */
type Times = Readonly<Record<Way, number[]>>;

/** Messages of the first request, and how many more each of the next ones has. All of them end with a result. */
const firstSize = 500;
const growth = 2;

/**
 * Measures the time to the first byte through `palimpsest proxy`, and directly, in turns. Each program is a process.
 * @param bytes size of the requests
 */
export async function measureLatency(bytes: number, conversations: number, requests: number): Promise<Times> {
  const provider = await startScript('./provider-process.ts', [], /^port (\d+)/);
  const upstream = `http://127.0.0.1:${provider.found}/v1`;
  const given = ['proxy', '--port', '0', '--openai', upstream, '--window', '20000000'];
  const proxy = await startScript('../../../../packages/palimpsest/src/cli.ts', given, /live view on (\S+)/);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [direct, through] = [`${upstream}/chat/completions`, `${proxy.found}/openai/v1/chat/completions`];
  const times = Object.fromEntries(ways.map((way) => [way, []])) as unknown as Times;
  const [plain, known, first] = ways.map((way) => times[way]);
  try {
    for (let number = 0; number < conversations; number++) {
      const length = firstSize + growth * requests;
      // A message has about 2,000 bytes.
      const messages = longTranscript(length, { from: number * length, scale: bytes / firstSize / 2_000 });
      const bodyOf = (round: number): Buffer =>
        Buffer.from(
          JSON.stringify({ model: 'large', stream: true, messages: messages.slice(0, firstSize + growth * round) }),
        );
      first!.push(await firstByte(through, bodyOf(0), agent));
      for (let round = 1; round <= requests; round++) {
        const body = bodyOf(round);
        plain!.push(await firstByte(direct, body, agent));
        known!.push(await firstByte(through, body, agent));
      }
    }
    return times;
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

/** Starts a script of this repository, from its source, as a process. @returns it, and what it printed when it was ready */
async function startScript(
  path: string,
  given: readonly string[],
  ready: RegExp,
): Promise<{ readonly child: ChildProcess; readonly found: string }> {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, script, ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = ready.exec(line)?.[1];
    if (found) return { child, found };
  }
  throw new Error(`${path} ended before it was ready`);
}
