import { PalimpsestError } from '@palimpsest/core';
import { commandCompactor, engineCompactor, evaluate } from '@palimpsest/eval';
import { agentMiddleware } from '@palimpsest/langchain';
import { contextProcessor } from '@palimpsest/mastra';
import { nativeCompaction } from '@palimpsest/native';
import { contextModel, contextModelProvider } from '@palimpsest/openai-agents';
import openclaw from '@palimpsest/openclaw';
import opencode from '@palimpsest/opencode';
import { createPiExtension } from '@palimpsest/pi';
import { cacheAware, prune, pruneOnAppend } from '@palimpsest/pruner';
import { createRecall } from '@palimpsest/recall';
import { createRedactor } from '@palimpsest/redactor';
import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { loadConfig, nodeResolver } from '@palimpsest/registry/config';
import { createSession } from '@palimpsest/session';
import { contextMiddleware, contextStep } from '@palimpsest/session/ai-sdk';
import { contextFetch } from '@palimpsest/session/fetch';
import { traceSession } from '@palimpsest/session/opentelemetry';
import { extractive } from '@palimpsest/summary';
import { anthropicSummarizer } from '@palimpsest/summary/anthropic';
import { summarizerByName } from '@palimpsest/summary/by-name';
import { openaiSummarizer } from '@palimpsest/summary/openai';
import { createTokenCounter } from '@palimpsest/tokens';
import { createTrajectoryCompactor } from '@palimpsest/trajectory';
import { compactFiles, compactStream } from '@palimpsest/trajectory/files';
import { enqueueShards, queueStatus, runQueueWorker } from '@palimpsest/trajectory/queue';
import { createContextFetch } from 'palimpsest';
import { expect, it } from 'vitest';

const typo = { typo: 1 } as never;
const session = createSession({
  engine: (host) => createRegistry().create('compressor', host),
  model: { id: 'm', contextLength: 100_000 },
});

/** Every function with options, except those that are called for each text, message or request. */
const functions: Readonly<Record<string, () => unknown>> = {
  agentMiddleware: () => agentMiddleware(session, typo),
  anthropicSummarizer: () => anthropicSummarizer(typo),
  cacheAware: () => cacheAware(typo),
  commandCompactor: () => commandCompactor('cat', typo),
  compactFiles: () => compactFiles([], typo),
  compactStream: () => compactStream([] as never, process.stdout, typo),
  contextFetch: () => contextFetch(session, typo),
  contextMiddleware: () => contextMiddleware(session, typo),
  contextModel: () => contextModel(session, {} as never, typo),
  contextModelProvider: () => contextModelProvider(session, {} as never, typo),
  contextProcessor: () => contextProcessor(session, typo),
  contextStep: () => contextStep(session, typo),
  createContextFetch: () => createContextFetch(typo),
  createEngineHost: () => createEngineHost(typo),
  createPiExtension: () => createPiExtension(typo),
  createRecall: () => createRecall(typo),
  createRegistry: () => createRegistry(typo),
  createSession: () => createSession(typo),
  createTokenCounter: () => createTokenCounter(typo),
  createTrajectoryCompactor: () => createTrajectoryCompactor(typo),
  engineCompactor: () => engineCompactor(() => null as never, typo),
  enqueueShards: () => enqueueShards([], typo),
  evaluate: () => evaluate(typo),
  extractive: () => extractive(typo),
  loadConfig: () => loadConfig(typo),
  nativeCompaction: () => nativeCompaction(typo),
  nodeResolver: () => nodeResolver(typo),
  openaiSummarizer: () => openaiSummarizer(typo),
  'the plugin of OpenClaw': () => openclaw.register({ pluginConfig: typo } as never),
  'the plugin of opencode': () => opencode.server({} as never, typo),
  prune: () => prune([], typo),
  pruneOnAppend: () => pruneOnAppend({ role: 'tool', content: '', tool_call_id: '1' }, typo),
  queueStatus: () => queueStatus(typo),
  'registry.create': () => createRegistry().create(typo, createEngineHost()),
  runQueueWorker: () => runQueueWorker(typo),
  'session.compact': () => session.compact(typo),
  summarizerByName: () => summarizerByName('extractive', typo),
  traceSession: () => traceSession(session, typo),
};

it.each(Object.keys(functions))('%s rejects an option that it does not know', async (name) => {
  const call = async (): Promise<unknown> => functions[name]!();
  const error: unknown = await call().catch((thrown: unknown) => thrown);
  expect(PalimpsestError.is(error) && error.code, String(error)).toBe('OPTION_INVALID');
  expect(String(error)).toContain('typo: unknown option.');
});

it('createRedactor, which has no dependency, rejects it with a TypeError', () => {
  expect(() => createRedactor(typo)).toThrow(new TypeError('createRedactor: unknown option "typo".'));
});
