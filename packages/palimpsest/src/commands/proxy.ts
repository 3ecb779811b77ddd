import { once } from 'node:events';
import { CliError } from '@palimpsest/command-line/cli-error';
import { formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { urlOf } from '../proxy/serving/listen-address.ts';
import type { ContextProxy } from '../proxy/start-proxy.ts';
import { closingLine } from './closing-line.ts';
import { addProxyOptions, type ProxyFlags, proxySettings, writerWords } from './proxy-flags.ts';
import { jsonLog, textLog } from './proxy-log.ts';
import { type OpenMetrics, openMetrics } from './proxy-metrics.ts';
import { addServingOptions, reloadOnHangup, type ServingFlags, servingSettings } from './serving-flags.ts';

/** `palimpsest proxy`: runs a proxy until it is stopped. */
export function addProxy(program: Command, terminal: Terminal): void {
  const command = addProxyOptions(
    program
      .command('proxy')
      .summary('keep agents inside their context window, without changing them')
      .description(
        'Start a proxy on 127.0.0.1 that keeps the conversations of agents inside the context window of their model.',
      ),
  );
  addServingOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest proxy
  palimpsest proxy --window 64k --engine prune-compact
  palimpsest proxy --openai http://localhost:11434/v1 --window 32k
  OPENAI_BASE_URL=http://127.0.0.1:4141/openai/v1 my-agent

The address of the proxy in a browser is the live view: what the context holds, what left it, and what was saved.`,
    )
    .action(async (flags: ProxyFlags & ServingFlags) => {
      const serving = await servingSettings(flags, terminal);
      const metrics = await openMetrics(flags);
      const settings = { ...(await proxySettings(flags, terminal)), ...serving };
      try {
        await serve(settings, flags, metrics, terminal);
      } finally {
        await settings.store?.close();
      }
    });
}

/** Runs a proxy until it is stopped. */
async function serve(
  settings: ProxyOptions,
  flags: ProxyFlags & ServingFlags,
  metrics: OpenMetrics | null,
  terminal: Terminal,
): Promise<void> {
  const log = flags.log === 'json' ? jsonLog(terminal) : textLog(terminal);
  const proxy = await listening({
    ...settings,
    onCompaction: log.noteCompaction,
    onProblem: log.problem,
    onEvent(event) {
      log.observe(event);
      metrics?.observe(event);
    },
  });
  const metricsServer = await metrics?.serve(proxy);
  const stop = settings.tenants ? reloadOnHangup(settings.tenants, log) : () => undefined;
  const lines = settings.tenants
    ? servingGreeting(proxy, settings.tenants.size)
    : greeting(proxy, settings.upstreams, flags);
  const metricsUrl = metricsServer && `${metricsServer.url}/metrics`;
  log.greet(metricsUrl ? `${lines}  metrics on ${metricsUrl}\n` : lines, {
    url: proxy.url,
    engine: proxy.engine,
    ...(metricsUrl ? { metrics: metricsUrl } : {}),
  });
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort');
  if (proxy.running > 0)
    log.note(`waiting for ${formatCount(proxy.running, 'running request')}; a second signal (Ctrl-C) stops at once`);
  await proxy.close(flags.drain * 1000, flags.drainDelay * 1000);
  if (flags.observe) log.note(closingLine(proxy.conversations, true));
  stop();
  metricsServer?.close();
}

/** Starts a proxy. @throws {CliError} for a port that is in use, or that this user may not open */
export async function listening(options: ProxyOptions): Promise<ContextProxy> {
  // Loaded here, so that the other commands start faster.
  const { startProxy } = await import('../proxy/start-proxy.ts');
  try {
    return await startProxy(options);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen') throw error;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened: ${systemReason(error)}`;
    const [taken, flag] =
      options.host === undefined
        ? [`port ${options.port}`, '--port']
        : [urlOf({ ...options, host: options.host }), '--listen'];
    throw CliError.badInput(`${taken} ${reason}; choose another with ${flag}`, error);
  }
}

/** The addresses of providers are the operator's. */
function servingGreeting({ url, engine }: ContextProxy, tenants: number): string {
  return `palimpsest proxy on ${url} for ${formatCount(tenants, 'tenant')} (engine ${printable(engine, 60)}); ${url}/readyz says whether it is ready\n`;
}

function greeting(
  { url, engine }: ContextProxy,
  { openai, chatgpt, anthropic, gemini, vertex, bedrock, ollama }: ProxyOptions['upstreams'],
  flags: ProxyFlags,
): string {
  return `palimpsest proxy, live view on ${url} (engine ${printable(engine, 60)}; ${writerWords(flags)}${flags.observe ? '; observing: nothing is changed' : ''})
  OPENAI_BASE_URL=${url}/openai/v1  to ${openai.href}, or with a ChatGPT login to ${chatgpt.href}
  ANTHROPIC_BASE_URL=${url}/anthropic  to ${anthropic.href}
  GOOGLE_GEMINI_BASE_URL=${url}/gemini  to ${gemini.href}
  ANTHROPIC_VERTEX_BASE_URL=${url}/vertex/v1, GOOGLE_VERTEX_BASE_URL=${url}/vertex  to ${vertex?.href ?? 'Vertex, by the location of each request'}
  ANTHROPIC_BEDROCK_BASE_URL=${url}/bedrock, AWS_ENDPOINT_URL_BEDROCK_RUNTIME=${url}/bedrock  to ${typeof bedrock === 'string' ? `Bedrock, by the region of each signature, or ${bedrock}` : bedrock.href}
  OLLAMA_HOST=${url}/ollama  to ${ollama?.href}
`;
}
