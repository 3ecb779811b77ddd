import type { Message, Usage } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import { readUsage } from '@palimpsest/formats/wire';
import { planAfterAnswer } from '../compaction/plan-ahead.ts';
import type { PageSource } from '../conversation/page-source.ts';
import type { PreparedRequest, RequestOptions } from '../conversation/prepared-request.ts';
import { requestInput } from '../conversation/request-input.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import { errorReason } from '../events/error-reason.ts';
import { recover } from '../recovery/recover.ts';
import { reportRefusal } from '../recovery/report-refusal.ts';
import { stripContent } from '../recovery/strip-content.ts';
import { isCallerError, passThrough } from '../request/pass-through.ts';
import { type Prepared, prepareNext, present } from '../request/prepare-request.ts';
import type { Session } from '../session.ts';
import { checkToolNames } from './engine-tools.ts';
import { learnFromAnswer } from './learn-from-answer.ts';
import type { SessionServices } from './session-services.ts';
import { switchModel } from './switch-model.ts';
import { untilCommitted } from './until-committed.ts';

/** The methods of a session around a request to the provider. */
export type RequestOperations = Pick<
  Session,
  'beforeRequest' | 'afterResponse' | 'recover' | 'noteRefusal' | 'notePassedThrough'
>;

export function requestOperations(services: SessionServices): RequestOperations {
  const { events, persistence, queue } = services;
  const { automatic } = services.compactions;
  const { requests } = services.conversation;
  const reportResponse = responseReporter(services);
  return {
    beforeRequest: <M extends Message, O extends RequestOptions>(messages: readonly M[], options?: O) =>
      beforeRequest<M, O>(services, messages, options ?? ({} as O)),
    afterResponse: (usage, request, source) => afterResponse(services, reportResponse, { usage, request, source }),
    async recover(failure, request, maxTokens) {
      const sent = request ? requests.findSent(request) : requests.lastSent;
      if (!sent || (failure.action === 'none' && failure.about !== 'closed')) {
        reportRefusal(services, failure);
        return { retry: false, exhausted: null };
      }
      return queue.run(async () => {
        const recovery = await recover(services, sent, failure, maxTokens);
        // If another process was faster, the repeated request is prepared with its state.
        if (recovery.retry) await persistence.commit();
        return recovery;
      });
    },
    noteRefusal(failure, request) {
      const { action } = failure;
      const sent = request ? requests.findSent(request) : requests.lastSent;
      reportRefusal(services, failure);
      if ((request && !sent) || sent?.isSideRequest) return;
      if (action === 'compact') automatic.pendingRefusal = failure;
      const isContent = action === 'strip-reasoning' || action === 'strip-tool-parts';
      if (!isContent || !sent) return;
      stripContent(services, sent, action);
      void persistence.save();
    },
    notePassedThrough: (reason) => events.publish({ type: 'request-passed-through', reason }),
  };
}

async function beforeRequest<M extends Message, O extends RequestOptions>(
  services: SessionServices,
  messages: readonly M[],
  options: O,
): Promise<PreparedRequest<M, O>> {
  checkMessages(messages);
  const source = [...messages];
  const prepare = async (
    attempt: () => Promise<PreparedRequest<M, O>> | PreparedRequest<M, O>,
  ): Promise<PreparedRequest<M, O>> => {
    checkToolNames(services, options.tools ?? []);
    try {
      return await attempt();
    } catch (error) {
      if (isCallerError(error)) throw error;
      return passThrough(services, source, options, error);
    }
  };
  if (mustNotWait(services, source)) return prepare(() => presentNow(services, source, options));
  return services.queue.run(() => prepare(() => prepareQueued(services, source, options)), options.signal);
}

/** True for a request made by a hook or a summarizer of a running operation. It must not wait for that operation. */
function mustNotWait(
  { conversation: { intake, requests }, engine, hooks, queue }: SessionServices,
  source: readonly Message[],
): boolean {
  if (engine.current === null || !queue.isBusy) return false;
  try {
    return hooks.isRunning || requests.isSideRequest(intake(source));
  } catch {
    return false;
  }
}

/** Applies the current checkpoint, without compacting or changing anything. */
function presentNow<M extends Message, O extends RequestOptions>(
  services: SessionServices,
  source: readonly M[],
  options: O,
): PreparedRequest<M, O> {
  const input = requestInput(services.conversation.intake, source, options);
  return present<M, O>(services, input, services.viewer.view(input), { options }).request;
}

async function prepareQueued<M extends Message, O extends RequestOptions>(
  services: SessionServices,
  source: readonly M[],
  options: O,
): Promise<PreparedRequest<M, O>> {
  const { planner, persistence, reports, viewer } = services;
  const { intake, requests } = services.conversation;
  const { model } = services.provider;
  const input = requestInput(intake, source, options);
  await planner.leaveServer();
  reports.reportRepairs(input.intake);
  if (requests.isSideRequest(input.intake)) {
    const view = viewer.view(input);
    if (view.size.tokens <= model.room(input.maxTokens)) {
      const { request, sent } = present<M, O>(services, input, view, { options });
      requests.noteSent(request, { ...sent, isSideRequest: true });
      return request;
    }
  }
  reports.reportConversation(input.intake);
  if (options.model) switchModel(services, options.model);
  await model.engineUpdated();
  let prepared!: Prepared<M, O>;
  const isCommitted = await untilCommitted(persistence, async () => {
    prepared = await prepareNext<M, O>(services, input, options);
    return prepared.isCompacted;
  });
  const { request, sent } = isCommitted ? prepared : present<M, O>(services, input, viewer.view(input), { options });
  if (!isCommitted) requests.noteLast(input, sent);
  planner.noteRequest();
  requests.noteSent(request, sent);
  return request;
}

/** What `afterResponse` gets. */
interface ReportedAnswer {
  readonly usage: unknown;
  readonly request: PreparedRequest | undefined;
  readonly source: PageSource | null | undefined;
}

function afterResponse(
  services: SessionServices,
  reportResponse: ReturnType<typeof responseReporter>,
  { usage, request, source }: ReportedAnswer,
): void {
  const { clock, persistence } = services;
  const { hygiene, turns } = services.compactions;
  const { requests } = services.conversation;
  const { caps } = services.provider;
  const report = readUsage(usage);
  const sent = request ? (requests.findSent(request) ?? null) : requests.lastSent;
  // The usage of a request outside the session's conversation does not apply to it.
  if ((request && !sent) || sent?.isSideRequest) return;
  turns.noteAnswer();
  caps.noteAnswer();
  hygiene.noteActivity(clock.now());
  if (sent) {
    services.provider.dropped.noteAnswered(sent.model, sent.size.tokens);
    reportResponse(sent, report);
    if (source && services.pages) services.conversation.lastRequest.noteAnswered(sent, report, source);
  }
  if (sent) planSoon(services, sent, report?.completionTokens ?? 0);
  if (!report) {
    if (sent) services.provider.model.believeAnswer(sent.model, sent.size, sent.maxTokens);
    return;
  }
  learnFromAnswer(services, sent, report);
  persistence.noteAnswered();
}

/** Plans the next compaction once the running operations are done, with what was learned from the answer. */
function planSoon(services: SessionServices, sent: SentRequest, answerTokens: number): void {
  if (!services.pages?.isModel) return;
  const plan = async (): Promise<void> => planAfterAnswer(services, sent, answerTokens);
  services.queue.runIfOpen(plan).catch((error: unknown) => {
    services.events.publish({ type: 'compaction-failed', trigger: 'threshold', reason: errorReason(error) });
  });
}

type ResponseReporter = (sent: SentRequest, usage: Usage | null) => void;

/**
 * Passes each answered request to the engine once, for engines that ingest as they go. The messages are the caller's
 * untouched history; the answer itself is in the messages of the next turn, or in those of `onSessionEnd`.
 */
function responseReporter({ engine, events, queue }: SessionServices): ResponseReporter {
  const reported = new WeakSet<SentRequest>();
  return (sent, usage) => {
    if (reported.has(sent)) return;
    reported.add(sent);
    // In the queue, so that the next compaction works on what was ingested.
    queue
      .runIfOpen(() => engine.ready.onResponse(sent.input.intake.source, usage))
      .catch((error: unknown) =>
        events.publish({ type: 'hook-failed', hook: 'engine.onResponse', reason: errorReason(error) }),
      );
  };
}
