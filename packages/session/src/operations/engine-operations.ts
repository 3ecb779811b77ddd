import type { ToolCallContext } from '@palimpsest/core';
import { checkMessages, invalidOptions } from '@palimpsest/core/authoring';
import { type Wire, type WireFormat, type WireTool, wireNamed } from '@palimpsest/formats/wire';
import { isRecallTool } from '@palimpsest/recall';
import { answerCompactCall, isCompactTool } from '../compaction/compact-tool.ts';
import { compactsAt } from '../compaction/compaction-needed.ts';
import { errorReason } from '../events/error-reason.ts';
import { inspect } from '../inspect/inspect.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { repeatInput } from '../request/repeat-input.ts';
import type { Session } from '../session.ts';
import { answerToolCall, toolsToOffer } from './engine-tools.ts';
import type { SessionServices } from './session-services.ts';
import { switchModel } from './switch-model.ts';

/** The answer before the first request: nothing is known about what the model sees. */
const unknownConversation =
  'The conversation cannot be searched now. Do not try it again in this step. Run the command or read the file that shows it again.';

type EngineOperations = Pick<
  Session,
  'engine' | 'updateModel' | 'status' | 'on' | 'tools' | 'callTool' | 'archive' | 'inspect'
>;

/** The operations on the engine, its tools, and what a session shows about itself. */
export function engineOperations(services: SessionServices): EngineOperations {
  const { engine, events, id, options, queue, recall, viewer } = services;
  const { automatic, chain } = services.compactions;
  const { requests } = services.conversation;
  const { model } = services.provider;
  return {
    engine: () => queue.run(async () => engine.ready),
    updateModel: (next) => switchModel(services, next),
    status: () => ({
      id,
      model: model.info,
      contextLength: model.tokens,
      checkpoints: chain.checkpoints.map(({ number }) => number),
      held: automatic.isHeld,
      compactsAt: compactsAt(services, requests.lastInput?.maxTokens),
      engine: engine.current?.status() ?? null,
    }),
    on: (listener) => events.on(listener),
    async tools<Format extends WireFormat = 'openai-chat'>(format?: Format) {
      await queue.ensureOpen();
      const wire = wireNamed(format ?? 'openai-chat') as Wire<WireTool<Format>>;
      return toolsToOffer(services).map((schema) => wire.declareTool(schema));
    },
    async callTool(name, input, given = {}) {
      await queue.ensureOpen();
      if (recall.isOn && isRecallTool(name)) return answerRecallCall(services, name, input, given);
      if (options.compactTool && isCompactTool(name)) return answerCompactCall(input);
      const { messages = requests.lastSource, signal } = given;
      return answerToolCall(engine.ready, name, input, { messages, signal });
    },
    async archive(messages) {
      if (!recall.isOn) {
        const message = 'The tools that search archived messages are off. Create the session with recall: true.';
        throw invalidOptions([{ path: 'recall', message }], { owner: 'session.archive' });
      }
      checkMessages(messages);
      await recall.archive(messages);
    },
    async inspect(given) {
      if (given) checkMessages(given);
      await queue.ensureOpen();
      const input = repeatInput(services, [...(given ?? requests.lastSource)]);
      return inspect(engine.ready.name, input.intake, viewer.view(input));
    },
  };
}

/**
 * Answers a call of `recall` or `expand` over what the newest projection of the conversation hides.
 * @throws what the caller's signal was aborted with
 */
async function answerRecallCall(
  parts: SessionParts,
  name: string,
  input: unknown,
  { messages, signal }: Partial<ToolCallContext>,
): Promise<string> {
  const { recall, viewer } = parts;
  const { requests } = parts.conversation;
  signal?.throwIfAborted();
  if (!messages && !requests.lastInput) return unknownConversation;
  try {
    const request = repeatInput(parts, messages ?? requests.lastSource);
    return await recall.answer(name, input, request.intake.source, viewer.view(request).assembled);
  } catch (error) {
    return `${name} failed: ${errorReason(error)}. Do not call it again for this.`;
  }
}
